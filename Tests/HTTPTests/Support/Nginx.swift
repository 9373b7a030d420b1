import EventLoop
import Glibc
import TestSupport
import Testing

/// A private nginx with its own certificate authority, shared by all tests of this process.
///
/// A shell starts nginx, and stops nginx when `lifeline` closes, even if this process crashes.
final class Nginx: Sendable {
    let authorities: String
    private let directory: String
    private let plainPort: UInt16
    private let securePort: UInt16
    private let lifeline: Int32

    static let missing = """
        the tests of HTTP need nginx with brotli, and openssl:
        apt-get install -y nginx libnginx-mod-http-brotli-filter openssl libcurl4-openssl-dev
        """

    private static let started = Result { try start() }

    static func shared() throws -> Nginx {
        try started.get()
    }

    func plain(_ path: String, host: String = "127.0.0.1") -> String {
        "http://\(host):\(plainPort)\(path)"
    }

    /// The certificate is valid only for `localhost`.
    func secure(_ path: String, host: String = "localhost") -> String {
        "https://\(host):\(securePort)\(path)"
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let module = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"

    private static func start() throws -> Nginx {
        let programs = ["/usr/sbin/nginx", "/usr/bin/openssl", module]
        // The strings are valid during the calls.
        guard programs.allSatisfy({ unsafe access($0, R_OK) == 0 }) else { throw Failure(description: missing) }
        var output = ""
        // Another process may take a port after the check.
        for _ in 0..<3 {
            let ports = try Loopback.freePorts(2)
            let shell = try Shell(script: script(plainPort: ports[0], securePort: ports[1]))
            output = shell.readUntil(line: "ready")
            let lines = output.split(separator: "\n")
            if lines.last == "ready", let directory = lines.dropLast().last.map(String.init) {
                return Nginx(directory: directory, ports: ports, lifeline: shell.input)
            }
        }
        throw Failure(description: "nginx does not start:\n\(output)")
    }

    private init(directory: String, ports: [UInt16], lifeline: Int32) {
        self.directory = directory
        authorities = directory + "/authority.pem"
        plainPort = ports[0]
        securePort = ports[1]
        self.lifeline = lifeline
    }

    private static func script(plainPort: UInt16, securePort: UInt16) -> String {
        """
        exec 2>&1
        dir=$(mktemp -d) || exit 1
        cd "$dir" && mkdir files temp || exit 1
        trap 'test -f nginx.pid && kill $(cat nginx.pid); rm -rf "$dir"' EXIT
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \
            -keyout authority.key -out authority.pem || exit 1
        openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \
            -keyout server.key -out server.csr || exit 1
        echo subjectAltName=DNS:localhost > server.ext
        openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
            -extfile server.ext -out server.pem || exit 1
        printf 'small' > files/small
        head -c 1048576 /dev/zero > files/zeros
        i=0; while [ $i -lt 1000 ]; do echo "line $i of a text that is worth compressing"; i=$((i + 1)); done > files/text
        cat > nginx.conf <<'END'
        \(configuration(plainPort: plainPort, securePort: securePort))
        END
        sed -i "s|@DIR@|$dir|" nginx.conf
        /usr/sbin/nginx -e "$dir/error.log" -p "$dir" -c "$dir/nginx.conf" || exit 1
        echo "$dir"
        echo ready
        cat > /dev/null
        """
    }

    private static func configuration(plainPort: UInt16, securePort: UInt16) -> String {
        """
        load_module \(module);
        daemon on;
        master_process off;
        pid @DIR@/nginx.pid;
        events { worker_connections 256; }
        http {
            access_log off;
            default_type text/plain;
            client_body_temp_path @DIR@/temp/body;
            proxy_temp_path @DIR@/temp/proxy;
            fastcgi_temp_path @DIR@/temp/fastcgi;
            uwsgi_temp_path @DIR@/temp/uwsgi;
            scgi_temp_path @DIR@/temp/scgi;
            add_header X-Connection $connection always;
            server {
                listen 127.0.0.1:\(plainPort);
                listen 127.0.0.1:\(securePort) ssl http2;
                ssl_certificate @DIR@/server.pem;
                ssl_certificate_key @DIR@/server.key;
                root @DIR@/files;
                location /gzip/ { alias @DIR@/files/; gzip on; gzip_types *; gzip_min_length 1; }
                location /brotli/ { alias @DIR@/files/; brotli on; brotli_types *; brotli_min_length 1; }
                location /status/503 { return 503 "busy"; }
                location /agent { return 200 $http_user_agent; }
                location /request { return 200 "$request_method $request_uri $http_x_key"; }
                location /away/ { return 302 http://localhost:\(plainPort)/request; }
                location /home/ { return 302 /request?again; }
                location /other/ { return 303 /request; }
                location /keep/ { return 307 /request; }
                location /loop/ { return 302 /loop/; }
                location /down/ { return 302 http://127.0.0.1:\(plainPort)/request; }
            }
        }
        """
    }
}

/// A shell script with pipes to its input and output.
private struct Shell {
    let input: Int32
    private let output: Int32

    init(script: String) throws {
        var toShell: [Int32] = [0, 0]
        var fromShell: [Int32] = [0, 0]
        // Each array has room for two descriptors.
        guard unsafe pipe(&toShell) == 0, unsafe pipe(&fromShell) == 0 else {
            throw SystemError(call: "pipe", number: errno)
        }
        for descriptor in toShell + fromShell { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        // All pointers are valid during these calls. The arguments are copies, which are freed after the last use.
        let arguments = unsafe [strdup("sh"), strdup("-c"), strdup(script), nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let environment = unsafe [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { unsafe free(environment[0]) }
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, toShell[0], 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromShell[1], 1)
        var process = pid_t()
        let failure = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environment)
        close(toShell[0])
        close(fromShell[1])
        guard failure == 0 else { throw SystemError(call: "posix_spawn", number: failure) }
        input = toShell[1]
        output = fromShell[0]
    }

    func readUntil(line: String) -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        // The call reads one byte into a variable of one byte.
        while !text.suffix(line.utf8.count + 1).elementsEqual("\(line)\n".utf8), unsafe read(output, &byte, 1) == 1 {
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
