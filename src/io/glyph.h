// Letters as strokes of a pen, for pictures made of pixels.
#ifndef IO_GLYPH_H
#define IO_GLYPH_H

enum { GLYPH_BASE = 2, GLYPH_WIDTH = 4, GLYPH_ADVANCE = 6, GLYPH_SIZE = 10 };

// Points in units of a tenth of the font's size, two digits each: across, and up from GLYPH_BASE
// below the line. A space lifts the pen; one point twice is a dot. What is not known is a box.
const char *glyph_strokes(char letter);

#endif
