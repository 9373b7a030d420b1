import JSON
import RPC
import SearchModel

/// Writes searchd-protocol(7) from the descriptions that `rpc.discover` also returns.
enum ProtocolManual {
    static var page: String {
        var page = Roff("searchd-protocol", section: 7, summary: "the protocol between searchd and its clients")
        page.heading("SYNOPSIS")
        page.paragraph(
            "$SEARCHD_SOCKET, $XDG_RUNTIME_DIR/searchd.sock, $XDG_STATE_HOME/searchd/run/searchd.sock, "
                + "/run/searchd/searchd.sock"
        )
        page.heading("EXAMPLES")
        page.example([
            #"{"jsonrpc":"2.0","id":1,"method":"search","params":{"query":"고양이","limit":3}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"source/list"}"#,
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
        ])
        page.heading("DESCRIPTION")
        page.paragraph(Discovery.introduction)
        page.paragraph(
            "The socket is $SEARCHD_SOCKET if it is set, otherwise the first of the other paths that exists. “searchctl "
                + "call METHOD PARAMS” sends a request from a shell, and “searchctl call rpc.discover” prints this "
                + "description for programs, as an OpenRPC document."
        )
        page.heading("METHODS")
        for method in MethodDescription.all { write(method, to: &page) }
        page.heading("NOTIFICATIONS")
        for notification in NotificationDescription.all {
            page.subheading(notification.name)
            page.paragraph(notification.summary)
            write(notification.params, to: &page)
        }
        page.heading("OBJECTS")
        for component in Schema.Component.all {
            page.subheading(component.name)
            page.paragraph(component.about)
            if case .object(let fields, _) = component.schema { write(fields, to: &page) }
        }
        page.heading("ERRORS")
        page.entries(ErrorCode.all.map { ("\($0.kind.rawValue) (\($0.number))", $0.about) })
        page.heading("SEE ALSO")
        page.paragraph("searchctl(1), searchd(8), https://www.jsonrpc.org/specification, https://open-rpc.org")
        return page.text
    }

    private static func write(_ method: MethodDescription, to page: inout Roff) {
        page.subheading(method.name)
        page.paragraph(method.summary)
        if let tool = method.tool { page.paragraph("In “searchctl mcp”, this method is the tool \(tool.name).") }
        page.paragraph(method.parameters.isEmpty ? "Parameters: none." : "Parameters:")
        write(method.parameters, areParameters: true, to: &page)
        page.paragraph("Result:")
        write(method.result, to: &page)
        let errors = method.errors.map(\.rawValue)
        if !errors.isEmpty {
            page.paragraph("Errors in addition to those of every request: \(errors.joined(separator: ", ")).")
        }
    }

    private static func write(
        _ fields: [Schema.Field],
        areParameters: Bool = false,
        within path: String = "",
        to page: inout Roff
    ) {
        for field in fields {
            let name = path + field.member.description
            var notes = [field.schema.words]
            if areParameters, field.isRequired { notes.append("required") }
            if !areParameters, !field.isRequired { notes.append("may be absent") }
            if let standard = field.standard { notes.append("default \(standard.text)") }
            let about = field.about.isEmpty ? "" : " " + field.about
            page.entry(name, "(\(notes.joined(separator: "; ")))\(about)")
            write(field.schema.fields, areParameters: areParameters, within: name + ".", to: &page)
        }
    }
}

extension Schema {
    var words: String {
        switch self {
        case .anything: "anything"
        case .null: "null"
        case .flag: "true or false"
        case .text: "text"
        case .number: "number"
        case .integer(let range):
            switch (range.lowerBound, range.upperBound) {
            case (...0, .max): "whole number"
            case (let least, .max): "whole number from \(least)"
            case (let least, let most): "whole number from \(least) to \(most)"
            }
        case .words(let words): words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
        case .list(let element): "list of \(element.words)"
        case .object(_, others: let others?): "object, by name: \(others.words)"
        case .object(let fields, others: nil): fields.isEmpty ? "empty object" : "object"
        case .either(let first, let second): "\(first.words) or \(second.words)"
        case .component(let component): component.name
        }
    }

    fileprivate var fields: [Field] {
        switch self {
        case .object(let fields, let others): fields + (others?.fields ?? [])
        case .list(let element): element.fields
        case .either(let first, let second): first.fields + second.fields
        default: []
        }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
