// What examples/hardware/arduino.ino finds on a board, on this machine: the serial port is the file descriptor of the first
// argument, the servo pulls the cable of a finger that hangs lower the farther it is pulled, and every angle is printed.
// Compiled by test_arduino.py, with the sketch in SKETCH and an empty Servo.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned char byte;
enum { A0 };

#define constrain(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

static int port;
static int degrees;
static double pulled; // mm: the motor lags

unsigned long micros()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long)t.tv_sec * 1000000 + (unsigned long)t.tv_nsec / 1000;
}

int analogRead(int)
{
    pulled += 0.5 * (0.2 * degrees - pulled);
    return (int)round((4 - 3.4 * pulled + 60) / 0.1);
}

char *dtostrf(double value, signed char width, unsigned char digits, char *out)
{
    sprintf(out, "%*.*f", width, digits, value);
    return out;
}

struct {
    char next;
    bool has;
    void begin(long) {}
    int available()
    {
        if (!has)
            has = read(port, &next, 1) == 1;
        return has;
    }
    int read_next()
    {
        has = false;
        return (unsigned char)next;
    }
    void println(const char *text)
    {
        char line[128];
        int n = snprintf(line, sizeof line, "%s\r\n", text);
        if (write(port, line, (size_t)n) != n)
            exit(1);
    }
} Serial;

class Servo {
public:
    void attach(int) {}
    void write(int angle)
    {
        if (angle != degrees)
            printf("%d\n", angle);
        degrees = angle;
        fflush(stdout);
    }
};

#define read read_next // Serial's, beside the system's
#include SKETCH
#undef read

int main(int, char **argv)
{
    port = atoi(argv[1]);
    setup();
    for (;;) {
        loop();
        usleep(200);
    }
}
