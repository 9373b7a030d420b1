# Completion of searchctl for bash: source <(searchctl completion bash)
_searchctl() {
    # Bash also splits words at =, @ and :. Join the parts that no blank separates.
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
    # Bash replaces only the end of the word, which is $2. The candidates must not repeat the rest.
    local last=${words[-1]} quote="" line described=()
    local kept=${last%"$2"}
    [[ $last == [\'\"]* ]] && quote=${last:0:1}
    words=("${words[@]//[\"\'\\]/}")
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == $'\tfiles' ]]; then
            compopt -o default
            continue
        fi
        word=${line%%$'\t'*}
        word=${word#"${kept//[\"\'\\]/}"}
        [[ -n $quote ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
        [[ $line == *$'\t'* ]] && line="$word  (${line#*$'\t'})" || line=$word
        described+=("$line")
    done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
    # Bash only shows this list and inserts none of it, so the candidates can have descriptions.
    if [[ ${COMP_TYPE:-0} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
        COMPREPLY=("${described[@]}")
    elif [[ ${#COMPREPLY[@]} -gt 1 && -z $quote && -z $kept && ${COMPREPLY[0]} != "$last"* ]]; then
        # No candidate begins with the typed word, so bash would replace the word with the common prefix of the
        # candidates. Offer only the best candidate.
        COMPREPLY=("${COMPREPLY[0]}")
    fi
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
complete -o nosort -F _searchctl searchctl
