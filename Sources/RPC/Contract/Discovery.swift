package import JSON
import SearchModel

/// The OpenRPC document of the protocol, which `rpc.discover` returns.
package enum Discovery {
    package static func document(
        version: String,
        methods: [MethodDescription],
        notifications: [NotificationDescription] = NotificationDescription.all
    ) -> JSONValue {
        [
            "openrpc": "1.3.2",
            "info": ["title": "searchd", "version": .string(version), "description": .string(introduction)],
            "methods": .array(methods.map(method)),
            Member.notificationsExtension.rawValue: .array(notifications.map(notification)),
            "components": [
                "schemas": .object(Schema.Component.all.map { JSONMember($0.name, schema($0)) }),
                "errors": .object(ErrorCode.all.map { JSONMember($0.kind.rawValue, error($0)) }),
            ],
        ]
    }

    package static let introduction = """
        One search service for a whole machine. The protocol is JSON-RPC 2.0 over a Unix socket, with one JSON text \
        per line. A line may have at most 1 MiB and 64 levels of nesting. Parameters are passed by name. An unknown \
        parameter is an error. The requests of a connection run concurrently. Each request is answered as soon as it \
        ends. Any request may fail with one of these errors: \
        \(ErrorCode.ofEveryRequest.map(\.rawValue).joined(separator: ", ")).
        """

    private static func method(_ method: MethodDescription) -> JSONValue {
        [
            "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(method.parameters.map(\.contentDescriptor)),
            "result": ["name": "result", "schema": Schema.object(method.result).json()],
            "errors": .array(method.errors.map { ["$ref": .string("#/components/errors/\($0.rawValue)")] }),
        ]
    }

    private static func notification(_ notification: NotificationDescription) -> JSONValue {
        [
            "name": .string(notification.name), "summary": .string(notification.summary),
            "params": Schema.object(notification.params).json(),
        ]
    }

    private static func schema(_ component: Schema.Component) -> JSONValue {
        .object([JSONMember("description", .string(component.about))] + (component.schema.json().members ?? []))
    }

    private static func error(_ error: ErrorCode) -> JSONValue {
        [
            "code": .number(JSONNumber(error.number)), "message": .string(error.about),
            "data": Schema.component(.errorData).json(),
        ]
    }
}
