// Numbers as text that reads back to the same value, in the fewest digits.
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

enum { NUMBER_TEXT = 32 };

// Returns text. What is not finite becomes "nan", "inf" or "-inf".
const char *number_text(double value, char text[NUMBER_TEXT]);

#endif
