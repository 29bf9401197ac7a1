"""The machine's end of a wire, for programs in Python that speak to motors and trackers. Needs pyzmq (Debian: python3-zmq).

    machine = Machine()                          # wire: {over: {zmq: {port: 9200, reply: 9201}}, ...}
    machine.tell([x, y, z], obey)                # whenever something was measured

`obey` is called with the values and the mode of the newest order, if one has come. It must bring the motors to their safe state by
itself when it was not called for a while: nobody can tell them to after a cable was pulled out.
"""

import json
import time

import zmq


def microseconds():
    return time.monotonic_ns() // 1000


class Machine:
    def __init__(self, port=9200, reply=9201, address="127.0.0.1"):
        context = zmq.Context.instance()
        self.orders, self.readings = context.socket(zmq.SUB), context.socket(zmq.PUB)
        self.orders.subscribe(b"")
        self.orders.bind(f"tcp://{address}:{port}")
        self.readings.bind(f"tcp://{address}:{reply}")
        self.number, self.echo, self.echo_time = 0, -1, -1

    def tell(self, value, obey):
        """One reading, in the order and the units of the scene's wire.in; None: that number was not measured."""
        order = None
        while self.orders.poll(0):
            order = json.loads(self.orders.recv())
        if order:
            obey(order["value"], order["mode"])
            self.echo, self.echo_time = order["order"], microseconds()
        reading = {"reading": self.number, "time": microseconds(), "echo": self.echo, "echo_time": self.echo_time, "value": list(value)}
        self.readings.send_string(json.dumps(reading))
        self.number += 1
