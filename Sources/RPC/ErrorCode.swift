package import SearchModel

/// The numbers of JSON-RPC for the contract's kinds of error; the only place that knows them.
package enum ErrorCode {
    /// The number of a kind; a kind that this table lacks counts as a defect here.
    package static func number(of kind: SearchError.Kind) -> Int {
        numbers[kind] ?? -32603
    }

    private static let numbers: [SearchError.Kind: Int] = [
        .parseError: -32700,
        .invalidRequest: -32600,
        .lineTooLong: -32600,
        .tooDeep: -32600,
        .duplicateId: -32600,
        .methodNotFound: -32601,
        .invalidParams: -32602,
        .internal: -32603,
        .cancelled: -32800,
        .superseded: -32800,
        .unknownSource: -32001,
        .notConfigured: -32002,
        .unauthorized: -32002,
        .rateLimited: -32003,
        .quotaExhausted: -32004,
        .unavailable: -32005,
        .badResponse: -32006,
        .timeout: -32007,
        .overloaded: -32008,
        .shuttingDown: -32009,
        .notFound: -32010,
        .forbidden: -32011,
    ]
}
