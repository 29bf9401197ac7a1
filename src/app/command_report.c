#include "app/playback.h"
#include "app/program.h"
#include "app/say.h"
#include "app/server_page.h"
#include "base/status.h"
#include "io/draft.h"
#include "io/encode64.h"
#include "io/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FRAMES_MAX = 300, PIECE = 65536 };

static const command_line LINE = {
    .name = "report",
    .usage = "RECORDING [-o FILE.html] [options]",
    .about =
        "Makes one HTML file of a recorded run: its summary, its charts, and the robot moving,\n"
        "to be opened in any browser, without a network. RECORDING is a file that --record\n"
        "wrote, or a results folder with one in it. The page shows at most 300 frames;\n"
        "--frames asks for more or fewer.\n"
        "\n"
        "Ends with 0, 2 on bad input, 3 when memory or disk failed.\n",
    .input = "a recording",
    .takes_recording = true,
    .options = OPTION_REPORT | OPTION_FRAMES | OPTION_QUIET,
};

// Messages, each with its length before it, deflated, in base64.
typedef struct packer {
    z_stream stream;
    base64_writer text;
    unsigned char piece[PIECE];
} packer;

static bool pack(packer *k, const void *bytes, size_t n, int flush)
{
    k->stream.next_in = (void *)bytes;
    k->stream.avail_in = (uInt)n;
    do {
        k->stream.next_out = k->piece;
        k->stream.avail_out = PIECE;
        int status = deflate(&k->stream, flush);
        if (status == Z_STREAM_ERROR)
            return false;
        base64_write(&k->text, k->piece, PIECE - k->stream.avail_out);
    } while (k->stream.avail_out == 0);
    return true;
}

static lithe_status pack_message(packer *k, playback *p, void *bytes, size_t n)
{
    session *s = p->session;
    uint32_t length = (uint32_t)n;
    if (!bytes)
        return s->report.error[0] ? LITHE_INVALID : report_no_memory(&s->report, "the report");
    bool well = pack(k, &length, sizeof length, Z_NO_FLUSH) && pack(k, bytes, n, Z_NO_FLUSH);
    free(bytes);
    return well ? LITHE_OK : report_no_memory(&s->report, "the report");
}

static void *summary_message(const char *text, size_t *n)
{
    size_t room = strlen(text) + 8;
    void *bytes = malloc(room);
    *n = bytes ? stream_write_text(STREAM_SUMMARY, text, bytes, room) : 0;
    return bytes;
}

static lithe_status pack_all(packer *k, playback *p, int most)
{
    size_t n;
    int nline = replay_nline(p->session->from), stride = (nline + most - 1) / most;
    int nframe = (nline + stride - 1) / stride;
    void *bytes = playback_head(p, nframe, &n);
    LITHE_TRY(pack_message(k, p, bytes, n));
    bytes = playback_series(p, stride, &n);
    LITHE_TRY(pack_message(k, p, bytes, n));
    if (replay_summary(p->session->from)) {
        bytes = summary_message(replay_summary(p->session->from), &n);
        LITHE_TRY(pack_message(k, p, bytes, n));
    }
    for (int i = 0; i < nline; i += stride) {
        bytes = playback_frame(p, i, DRAWING_ENERGY | DRAWING_VON_MISES, &n);
        LITHE_TRY(pack_message(k, p, bytes, n));
    }
    return pack(k, NULL, 0, Z_FINISH) ? LITHE_OK : LITHE_NO_MEMORY;
}

// The page, with the messages before its script.
static lithe_status write_page(playback *p, FILE *file)
{
    static const char mark[] = "<div id=\"app\"></div>";
    static packer k; // too large for a stack
    const char *page = (const char *)server_page, *cut = strstr(page, mark);
    size_t before = (size_t)(cut - page) + sizeof mark - 1;
    k = (packer){.text = {.file = file}};
    if (deflateInit(&k.stream, Z_BEST_COMPRESSION) != Z_OK)
        return report_no_memory(&p->session->report, "the report");
    fwrite(page, 1, before, file);
    fputs("\n<script id=\"data\" type=\"text/plain\">", file);
    int most = p->session->options.frames ? p->session->options.frames : FRAMES_MAX;
    lithe_status status = pack_all(&k, p, most);
    deflateEnd(&k.stream);
    base64_end(&k.text);
    fputs("</script>", file);
    fwrite(page + before, 1, server_page_bytes - before, file);
    return status;
}

static lithe_status write_report(playback *p, const char *path)
{
    session *s = p->session;
    draft d;
    LITHE_TRY(draft_open(&d, path, &s->report));
    lithe_status status = write_page(p, d.file);
    if (status == LITHE_OK)
        return draft_commit(&d, &s->report);
    draft_discard(&d);
    return status;
}

static int report_session(session *s)
{
    playback p;
    const char *path = s->options.out ? s->options.out : "report.html";
    lithe_status status = playback_open(&p, s);
    if (status == LITHE_OK)
        status = write_report(&p, path);
    playback_close(&p);
    if (status != LITHE_OK)
        return say_failure(status, &s->report);
    if (!s->options.quiet)
        printf("%s\n", path);
    return say_flush_output(EXIT_DONE);
}

int command_report(int argc, char **argv)
{
    session s;
    int exit_status;
    if (session_open(&s, &LINE, argc, argv, &exit_status))
        exit_status = report_session(&s);
    session_close(&s);
    return exit_status;
}
