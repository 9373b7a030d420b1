/// One way to sign requests of an account: the first one whose secrets are all there is taken.
package struct Access: Equatable, Sendable {
    package let name: String
    /// The secrets it needs; none means that anybody may ask.
    package let secrets: [String]
    /// Scheme, host and port.
    package let base: String
    let headers: [Parameter]
    let parameters: [Parameter]
}

/// A named text of a request: the first of its templates that can be filled; left out when none can.
struct Parameter: Equatable, Sendable {
    let name: String
    let templates: [Template]

    func filled(_ value: (Template.Variable) -> String?) -> String? {
        for template in templates {
            if let text = template.filled(value) { return text }
        }
        return nil
    }
}
