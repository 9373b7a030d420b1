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
