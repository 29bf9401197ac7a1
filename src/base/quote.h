// User text inside a message: short, on one line, nothing that could steer a terminal.
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

typedef struct quote {
    char text[64];
} quote;

// The text, cut with "..." where it is long, control characters shown as '?'.
quote quote_text(const char *text);

// For use inside one call: report_fail(..., QUOTE(name)).
#define QUOTE(user_text) (quote_text(user_text).text)

#endif
