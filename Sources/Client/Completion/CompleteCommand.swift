import EventLoop
import JSON
import RPC

/// `searchctl complete -- WORDS…`, which the shells' scripts ask: what the last word could become, a line each.
///
/// Errors are not reported, since the shell would not show them; what is known without a daemon is still offered.
enum CompleteCommand {
    /// How long the daemon may take in all: a person waits with a finger on the key.
    static let daemonMax = Duration.milliseconds(200)

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let commands = context.commands
        let position = CompletionPosition(arguments.words, commands: commands)
        let completion = Completion(position, commands: commands, facts: facts(position, context))
        try Printer(context.console).print(completion.lines.map { $0 + "\n" }.joined())
        return .found
    }

    private static func facts(_ position: CompletionPosition, _ context: Context) -> CompletionFacts {
        var facts = CompletionFacts()
        if position.suggestions.contains(.hits), let search = try? LastSearchStore.load(context) { facts.take(search) }
        if let suggestion = position.suggestions.first(where: { $0.method != nil }),
            let result = try? result(for: suggestion, position, context)
        {
            facts.take(result)
        }
        return facts
    }

    private static func result(
        for suggestion: Suggestion,
        _ position: CompletionPosition,
        _ context: Context
    ) throws(ClientError) -> JSONCursor? {
        guard let method = suggestion.method else { return nil }
        var asking = Arguments()
        asking.append(.present, of: .noStart)
        if let socket = position.socket { asking.append(.text(socket), of: .socket) }
        let deadline = Instant.now.advanced(by: daemonMax)
        var exchange = try Connector(asking, context).connect(until: deadline)
        try exchange.send(line: RequestLine.request(1, method, params: suggestion.params(position.prefix)))
        return try exchange.result(of: 1, until: deadline)
    }
}

/// `searchctl completion SHELL`: the script that a shell reads to complete our command lines.
enum CompletionCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let shell = arguments.words.first ?? ""
        guard let text = CompletionScript.text(for: shell) else {
            let hint = ClientError.guess(shell, among: CompletionScript.shells)
            throw ClientError(
                .usage,
                "there is no completion for “\(shell)”",
                hint: hint ?? "There is one for \(CompletionScript.shells.joined(separator: ", "))"
            )
        }
        try Printer(context.console).print(text)
        return .found
    }
}

/// The scripts that let a shell ask `searchctl complete`; they hold as little as their shell lets them.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static let bash = #"""
        # Completion of searchctl for bash: source <(searchctl completion bash)
        _searchctl() {
            # Bash splits words at = and : too; what no blank parts belongs together.
            local rest=${COMP_LINE:0:COMP_POINT} words=() word i
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ $i == 0 || $rest == [[:space:]]* ]]; then
                    rest=${rest#"${rest%%[![:space:]]*}"}
                    words+=("")
                fi
                [[ $i == "$COMP_CWORD" ]] && word=$rest
                rest=${rest#"$word"}
                words[-1]+=$word
            done
            local last=${words[-1]} replaced="" quote="" line described=()
            # It replaces only what follows the last of these.
            [[ $COMP_WORDBREAKS == *=* && $last == *=* ]] && replaced=${last%"${last##*=}"}
            [[ $COMP_WORDBREAKS == *@* && $last == *@* ]] && replaced=${last%"${last##*@}"}
            [[ $COMP_WORDBREAKS == *:* && $last == *:* ]] && replaced=${last%"${last##*:}"}
            [[ $last == [\'\"]* ]] && quote=${last:0:1}
            words=("${words[@]//[\"\'\\]/}")
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == $'\tfiles' ]]; then
                    compopt -o default
                    continue
                fi
                word=${line%%$'\t'*}
                word=${word#"${replaced//[\"\'\\]/}"}
                [[ -n $quote ]] || printf -v word %q "$word"
                COMPREPLY+=("$word")
                [[ $line == *$'\t'* ]] && line="$word  (${line#*$'\t'})" || line=$word
                described+=("$line")
            done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
            # A list is only shown, never inserted: there is room to say what the words are.
            if [[ ${COMP_TYPE:-0} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
                COMPREPLY=("${described[@]}")
            elif [[ ${#COMPREPLY[@]} -gt 1 && -z $quote && -z $replaced && ${COMPREPLY[0]} != "$last"* ]]; then
                # None goes on from what was typed, which what they have in common would replace: the best does.
                COMPREPLY=("${COMPREPLY[0]}")
            fi
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
            return 0
        }
        complete -o nosort -F _searchctl searchctl

        """#

    private static let zsh = #"""
        #compdef searchctl
        # Completion of searchctl for zsh: source <(searchctl completion zsh), or save it as _searchctl in $fpath.
        _searchctl() {
            local line word terminal=/dev/null
            local -a before closed open
            ((CURRENT > 2)) && before=("${(@Q)words[2,CURRENT-1]}")
            # After su it may belong to another user.
            [[ -r ${TTY:-} ]] && terminal=$TTY
            while IFS= read -r line; do
                if [[ $line == $'\tfiles' ]]; then
                    _files
                    continue
                fi
                word=${line%%$'\t'*}
                word=${word//:/\\:}
                [[ $line == *$'\t'* ]] && word+=:${line#*$'\t'}
                if [[ ${line%%$'\t'*} == *= ]]; then open+=("$word"); else closed+=("$word"); fi
            done < <(${(Q)words[1]} complete -- "${before[@]}" "${(Q)PREFIX}" <$terminal 2>/dev/null)
            # They fit already, also where they do not begin as the word does; then what they have in common would replace it.
            (($#closed)) && [[ ${closed[1]} != "${(Q)PREFIX}"* ]] && compstate[insert]=menu
            (($#closed)) && _describe -V searchctl closed -U
            (($#open)) && _describe -V searchctl open -S ''
        }
        if [[ ${funcstack[1]} == _searchctl ]]; then _searchctl "$@"; else compdef _searchctl searchctl; fi

        """#

    private static let fish = #"""
        # Completion of searchctl for fish: searchctl completion fish | source
        function __searchctl_complete
            set -l words (commandline --tokenize --current-process --cut-at-cursor)
            set -l last (commandline --current-token --cut-at-cursor | string collect --allow-empty)
            set last (string trim --left --chars '"\'' -- "$last" | string collect --allow-empty)
            for line in ($words[1] complete -- $words[2..] "$last" 2>/dev/null)
                if test "$line" = \tfiles
                    __fish_complete_path "$last"
                else
                    printf '%s\n' $line
                end
            end
        end
        complete --command searchctl --no-files --keep-order --arguments '(__searchctl_complete)'

        """#
}
