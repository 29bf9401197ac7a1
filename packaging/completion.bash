# bash completion for lithe. Commands and options are asked of the program itself, so that they are always its own.

_lithe_scene()
{
    local word
    for word in "${COMP_WORDS[@]:2}"; do
        case $word in
        *.yaml | *.yml) [ -f "$word" ] && printf '%s' "$word" && return ;;
        esac
    done
}

# NAME.QUANTITY= for every actuator of a scene, with the quantity of its command.
_lithe_actuators()
{
    timeout 2 lithe check "$1" --json --quiet 2> /dev/null | sed -n 's/^ "actuators": //p' |
        grep -o '"[A-Za-z0-9_-]*": {"kind"[^}]*"command": {"[a-z]*"' |
        sed 's/^"\([^"]*\)".*"\([a-z]*\)"$/\1.\2=/'
}

_lithe()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-} scene words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$(lithe --help 2> /dev/null | sed -n 's/^  lithe \([a-z][a-z]*\) .*/\1/p') --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    case $prev in
    --out)
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        return
        ;;
    --data | --offenders | --record | --snapshot | --from | --replay | -o)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
        ;;
    --port | --address | --frames | --steps | --threads | --set | --find | --size | --mesh-unit | --time-limit) return ;;
    esac
    case $cur in
    -*)
        words=$(lithe "$command" --help 2> /dev/null | sed -n 's/^  \(--[a-z-]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
        ;;
    esac
    scene=$(_lithe_scene)
    if [ -z "$scene" ] || [ "$scene" = "$cur" ]; then
        mapfile -t COMPREPLY < <(
            compgen -d -S / -- "$cur"
            [ "$command" = report ] || compgen -f -X '!*.y*ml' -- "$cur"
            case $command in view | report) compgen -f -X '!*.h5' -- "$cur" ;; esac)
        compopt -o nospace 2> /dev/null
        [ "${#COMPREPLY[@]}" -ne 1 ] || [ ! -f "${COMPREPLY[0]}" ] || compopt +o nospace 2> /dev/null
        return
    fi
    compopt -o nospace 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -W "$(_lithe_actuators "$scene")" -- "$cur")
}

complete -F _lithe lithe
