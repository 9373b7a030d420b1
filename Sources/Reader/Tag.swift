/// The HTML elements that the reader distinguishes.
enum Tag: String {
    case text = "#text"
    case other = "#other"
    case html, head, body, title, base, meta, link, script, style, noscript, template
    case a, abbr, b, br, cite, code, em, font, i, img, ins, kbd, mark, q, s, small, span, strong, sub, sup, time, tt, u
    case `var`, wbr, bdi, bdo, data, dfn, label, samp, strike, big, ruby, rb, rt, rp, del, nobr, center
    case h1, h2, h3, h4, h5, h6, p, pre, blockquote, ul, ol, li, dl, dt, dd, hr
    case table, caption, thead, tbody, tfoot, tr, td, th
    case figure, figcaption, picture
    case div, main, article, section, nav, aside, header, footer, details, summary, dialog, address
    case form, input, button, select, option, textarea, fieldset
    case iframe, frame, frameset, noframes, object, embed, applet, svg, math, audio, video, canvas, map, source

    var isSkipped: Bool {
        switch self {
        case .head, .title, .script, .style, .noscript, .template, .input, .button, .select, .option, .textarea,
            .iframe, .object, .embed, .applet, .svg, .audio, .video, .canvas, .map, .rp, .rt, .noframes, .dialog:
            true
        default: false
        }
    }

    var isInline: Bool {
        switch self {
        case .text, .a, .abbr, .b, .br, .cite, .code, .em, .font, .i, .img, .ins, .kbd, .mark, .q, .s, .small, .span,
            .strong, .sub, .sup, .time, .tt, .u, .var, .wbr, .bdi, .bdo, .data, .dfn, .label, .samp, .strike, .big,
            .ruby, .rb, .rt, .rp, .del, .nobr, .picture, .source, .math:
            true
        default: false
        }
    }

    var isBlock: Bool { !isInline }

    var headingLevel: Int? {
        let headings: [Tag] = [.h1, .h2, .h3, .h4, .h5, .h6]
        return headings.firstIndex(of: self).map { $0 + 1 }
    }
}

enum Attribute: String {
    case id, `class`, role, lang, style, hidden, href, src, rel, name, property, content, datetime, itemprop, type
    case ariaHidden = "aria-hidden"
    case httpEquiv = "http-equiv"
    case start, colspan
}
