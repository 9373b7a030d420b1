import Catalogue
import JSON
import SearchModel

/// The properties of a query that decide which sources of a profile are searched.
struct QueryTraits: Hashable, Sendable {
    let script: WritingSystem
    let isCode: Bool

    static let all = WritingSystem.allCases.flatMap { script in
        [false, true].map { QueryTraits(script: script, isCode: $0) }
    }
    /// Used if there is no query.
    static let unknown = QueryTraits(script: .other, isCode: true)
}

extension QueryTraits {
    init(_ query: SearchQuery) {
        self.init(script: WritingSystem(query), isCode: CodeWords.areIn(query))
    }
}

/// Recognises queries about programming by their words and signs.
enum CodeWords {
    private static let clear = words(
        """
        algorithm ansible api async asyncio awk bash bitwise bytecode clang cmake codec compiler coroutine cpp css ctypes
        debugger deadlock deserialize docker dockerfile enum epoll erlang ffi fortran frontend futex gcc gdb git github
        gitlab goroutine gradle graphql grpc haskell html http io_uring javascript jquery json jvm jwt kotlin kubernetes
        laravel ldap libcurl linux llvm lua makefile matlab middleware mongodb multithreading mutex mysql nginx nodejs npm
        numpy oauth opengl openssl parser perl php posix postgres postgresql powershell pthread pytest pytorch qemu
        rabbitmq reactjs recursion redis refactor regex regexp rustc sdk segfault serialize smtp sqlalchemy sql sqlite ssh
        ssl stackoverflow stdin stdout struct subprocess swiftui syscall systemd tcp tensorflow terraform tls typescript
        ubuntu udp unicode unix utf8 valgrind vscode vuejs wasm webpack websocket xcode xml yaml zsh 깃허브 리눅스 자바스크립트
        정규식 컴파일 파이썬 프로그래밍
        """
    )
    /// A query with two of these words is about programming.
    private static let ambiguous = words(
        """
        actor actors ajax android angular argument array await binary boolean bug build button c cache call callback cancel
        class client cloud commit compare concurrency concurrent consensus constructor container convert cursor data
        database debug decorator deploy dictionary directory django edge elixir error event exception exec export fetch
        file filter flutter float folder fork format function functions generic generics go golang handler hash heap import
        index inheritance input install integer interface ios iterator java jenkins join kernel key lambda library linker
        list lock log loop map match maven memory merge method module namespace node null object option optional output
        package pandas parameter parse permission pip pointer pool print process promise property protocol proxy pull push
        python query queue raft rails react read request return ruby runtime rust scala script selenium semaphore server
        session set shell signal socket sort spring stack static stream string swift switch syntax table task template
        terminal test thread threads timeout token tree trigger triggered tuple type types undefined update url variable
        vector version vim virtual vue while window write 개발자 배열 서버 스레드 스위프트 알고리즘 에러 오류 자바 코드 쿼리 함수
        """
    )
    private static let signs = ["::", "->", "=>", "()", "{}", "[]", "==", "!=", "&&", "||", "</", "/>", "$(", "+="]
        .map { Array($0.utf8) }

    private static func words(_ text: String) -> Set<ExactText> {
        Set(text.split { $0 == " " || $0 == "\n" }.map { ExactText(String($0)) })
    }

    static func areIn(_ query: SearchQuery) -> Bool {
        let text = query.text.utf8
        if zip(text, text.dropFirst()).contains(where: { signs.contains([$0, $1]) }) { return true }
        var hints = 0
        for word in query.text.lowercased().utf8.split(whereSeparator: { $0 <= 0x20 || ",?!;:\"'".utf8.contains($0) }) {
            if isName(word) || clear.contains(ExactText(String(Substring(word)))) { return true }
            if ambiguous.contains(ExactText(String(Substring(word)))) { hints += 1 }
        }
        return hints > 1
    }

    private static func isName(_ word: Substring.UTF8View) -> Bool {
        guard word.first?.isLetter == true, word.count > 1 else { return false }
        return word.dropFirst().allSatisfy { "+#".utf8.contains($0) }
            || (word.contains(UInt8(ascii: "_")) && word.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x5F })
    }
}
