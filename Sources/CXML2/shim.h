// iconv, and the HTML parser of libxml2 with callbacks.
#ifndef CXML2_SHIM_H
#define CXML2_SHIM_H

#include <iconv.h>
#include <libxml/HTMLparser.h>
#include <stddef.h>
#include <string.h>

/// All texts are UTF-8 and valid only during the call.
struct cxml2_events {
    /// `attributes` has pairs of a name and a value, then NULL. A value may be NULL. Returns 0 to continue.
    int (*start)(void *context, const char *name, const char *const *attributes);
    void (*end)(void *context);
    void (*text)(void *context, const char *bytes, int count);
};

struct cxml2_parse {
    htmlParserCtxtPtr parser;
    const struct cxml2_events *events;
    void *context;
};

static inline void cxml2_start(void *data, const xmlChar *name, const xmlChar **attributes) {
    struct cxml2_parse *parse = (struct cxml2_parse *)data;
    static const char *const none[] = {NULL};
    const char *const *list = attributes ? (const char *const *)attributes : none;
    if (parse->events->start(parse->context, (const char *)name, list) != 0) xmlStopParser(parse->parser);
}

static inline void cxml2_end(void *data, const xmlChar *name) {
    struct cxml2_parse *parse = (struct cxml2_parse *)data;
    (void)name;
    parse->events->end(parse->context);
}

static inline void cxml2_text(void *data, const xmlChar *bytes, int count) {
    struct cxml2_parse *parse = (struct cxml2_parse *)data;
    parse->events->text(parse->context, (const char *)bytes, count);
}

/// Parses UTF-8, whatever encoding the HTML declares. Each `start` has an `end`, unless `start` stops the parser.
/// Returns -1 if the parser cannot be created, otherwise 0.
static inline int cxml2_parse_html(const char *bytes, int count, const struct cxml2_events *events, void *context) {
    struct cxml2_parse parse = {htmlNewParserCtxt(), events, context};
    if (!parse.parser) return -1;
    xmlSAXHandler *sax = parse.parser->sax;
    memset(sax, 0, sizeof *sax);
    sax->startElement = cxml2_start;
    sax->endElement = cxml2_end;
    sax->characters = cxml2_text;
    sax->ignorableWhitespace = cxml2_text;
    sax->cdataBlock = cxml2_text;
    sax->initialized = XML_SAX2_MAGIC;
    parse.parser->userData = &parse;
    const int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET;
    htmlDocPtr document = htmlCtxtReadMemory(parse.parser, bytes, count, NULL, "UTF-8", options);
    if (document) xmlFreeDoc(document);
    htmlFreeParserCtxt(parse.parser);
    return 0;
}

static inline int cxml2_is_open(iconv_t converter) { return converter != (iconv_t)-1; }

#endif
