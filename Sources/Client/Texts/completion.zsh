#compdef searchctl
# Completion of searchctl for zsh: source <(searchctl completion zsh), or save the script as _searchctl in $fpath.
_searchctl() {
    local line word terminal=/dev/null
    local -a before closed open
    ((CURRENT > 2)) && before=("${(@Q)words[2,CURRENT-1]}")
    # After su, the terminal may belong to another user.
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
    # Candidates that do not begin with the typed word also match. Without a menu, zsh would replace the word with
    # the common prefix of the candidates.
    (($#closed)) && [[ ${closed[1]} != "${(Q)PREFIX}"* ]] && compstate[insert]=menu
    (($#closed)) && _describe -V searchctl closed -U
    (($#open)) && _describe -V searchctl open -S ''
}
if [[ ${funcstack[1]} == _searchctl ]]; then _searchctl "$@"; else compdef _searchctl searchctl; fi
