#include "io/number.h"

#include <stdio.h>
#include <stdlib.h>

const char *number_text(double value, char text[NUMBER_TEXT])
{
    value = value == 0 ? 0 : value; // no "-0"
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}
