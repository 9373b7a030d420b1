import CFuzzer
import Glibc

let words = Array(CommandLine.arguments.dropFirst())
if words.count == 2, words[0] == "--seeds" { exit(Seeds.write(to: words[1])) }

func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // The bytes are valid during the call.
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    LineTrial.shared.run(Expansion.line(input))
    return 0
}

var count = CommandLine.argc
// The arguments live as long as the program, and libFuzzer only reads them.
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in unsafe tryInput(bytes, count) })
