// One servo motor that pulls a cable, and one sensor, for 'lithe drive' over a serial port. Tried against examples/hardware/
// finger.yaml with  over: {serial: {port: /dev/ttyACM0}}  where the sensor tells the height of the tip in mm.
//
// Orders come as   O number time mode value*checksum
// Readings go as   R number time echo echo_time value*checksum
// with times in microseconds and, behind the star, all bytes before it by exclusive or, in two hexadecimal digits.
#include <Servo.h>

const int SERVO_PIN = 9, SENSOR_PIN = A0;
const float MM_PER_DEGREE = 0.2;           // of the pulley
const float SAFE_PULL = 0;                 // mm: as wire.out.flexor.safe
const unsigned long SILENCE = 500000;      // us without an order: go to the safe state, whoever drives
const unsigned long PERIOD = 20000;        // us: as step.dt

Servo servo;
char line[128];
int length = 0;
long number = 0, echo_number = -1;
unsigned long echo_time = 0, next_reading = 0;

void pull(float mm) {
  servo.write((int)(constrain(mm, 0.0, 20.0) / MM_PER_DEGREE + 0.5));
}

byte checksum(const char *text, int n) {
  byte sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= text[i];
  return sum;
}

void obey() {
  if (length < 4 || line[length - 3] != '*' || strtoul(line + length - 2, NULL, 16) != checksum(line, length - 3))
    return;                                // damaged: the next one will do
  line[length - 3] = 0;
  char *at = line + 1;
  if (line[0] != 'O')
    return;
  long order = strtol(at, &at, 10);
  strtoul(at, &at, 10);                    // when it was sent, by the other clock
  strtol(at, &at, 10);                     // the gate's mode: 1 open, 2 hold, 3 safe, 4 stop
  pull(strtod(at, &at));
  echo_number = order;
  echo_time = micros();
}

void listen() {
  while (Serial.available()) {
    char c = Serial.read();
    if (c == '\n') {
      line[length] = 0;
      obey();
      length = 0;
    } else if (length < (int)sizeof line - 1) {
      line[length++] = c;
    }
  }
}

void tell() {
  char text[96], value[16];
  float height = 0.1 * analogRead(SENSOR_PIN) - 60;   // mm: your sensor's own line here
  dtostrf(height, 1, 3, value);
  int n = snprintf(text, sizeof text, "R %ld %lu %ld %lu %s", number++, micros(), echo_number, echo_time, value);
  snprintf(text + n, sizeof text - n, "*%02X", checksum(text, n));
  Serial.println(text);
}

void setup() {
  Serial.begin(115200);
  servo.attach(SERVO_PIN);
  pull(SAFE_PULL);
}

void loop() {
  listen();
  if (echo_number >= 0 && micros() - echo_time > SILENCE)
    pull(SAFE_PULL);
  if ((long)(micros() - next_reading) >= 0) {
    next_reading = micros() + PERIOD;
    tell();
  }
}
