import MCP

/// What to ask a model for.
struct ListPromptsMethod: AgentMethod {
    let prompts: PromptList

    let name = AgentMethodName.listPrompts

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        try ListCursor.requireNone(call.params)
        return .answered(.result(prompts.result.bytes(in: request.revision)))
    }
}

/// One of them, with its query.
struct GetPromptMethod: AgentMethod {
    let prompts: PromptList

    let name = AgentMethodName.getPrompt

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        .answered(.result(try prompts.prompt(call.params).bytes(in: request.revision)))
    }
}

/// What the query of a prompt, or the id in a resource's address, may become.
struct CompleteMethod: AgentMethod {
    let prompts: PromptList

    let name = AgentMethodName.complete
    let permission = MethodPermission.ownData

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        let completion = try Completion(call.params, prompts)
        return call.begin(completion.method, completion.params, for: request, completion.result)
    }
}
