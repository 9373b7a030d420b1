package import JSON
import SearchModel

/// The OpenRPC document of a method table.
package enum Discovery {
    package static func document(version: String, methods: [MethodDescription]) -> JSONValue {
        .object([
            JSONMember("openrpc", "1.3.2"),
            JSONMember(
                "info",
                .object([
                    JSONMember("title", "searchd"),
                    JSONMember("version", .string(version)),
                    JSONMember(
                        "description",
                        """
                        One search service for a whole machine. Newline-delimited JSON-RPC 2.0 over a Unix socket: one \
                        JSON text a line, at most 1 MiB and 64 levels. Parameters come by name; unknown ones are \
                        refused. Requests of a connection run concurrently and are answered as they finish. \
                        The notification $/cancelRequest {"id":…} ends a request with the error `cancelled`.
                        """
                    ),
                ])
            ),
            JSONMember("methods", .array(methods.map(method))),
        ])
    }

    private static func method(_ method: MethodDescription) -> JSONValue {
        .object([
            JSONMember("name", .string(method.name)),
            JSONMember("summary", .string(method.summary)),
            JSONMember("paramStructure", "by-name"),
            JSONMember(
                "params",
                .array(
                    method.parameters.map { field in
                        .object([
                            JSONMember("name", .string(field.name)),
                            JSONMember("required", .bool(field.isRequired)),
                            JSONMember("schema", field.schema),
                        ])
                    }
                )
            ),
            JSONMember(
                "result",
                .object([JSONMember("name", "result"), JSONMember("schema", objectSchema(method.result))])
            ),
            JSONMember("errors", .array(method.errors.map(error))),
        ])
    }

    /// The schema of an object with these members.
    package static func objectSchema(_ fields: [MethodDescription.Field]) -> JSONValue {
        .object([
            JSONMember("type", "object"),
            JSONMember("properties", .object(fields.map { JSONMember($0.name, $0.schema) })),
            JSONMember("required", .array(fields.filter(\.isRequired).map { .string($0.name) })),
        ])
    }

    private static func error(_ kind: String) -> JSONValue {
        .object([
            JSONMember("code", .number(JSONNumber(ErrorCode.number(of: SearchError.Kind(rawValue: kind))))),
            JSONMember("message", .string(kind)),
        ])
    }
}
