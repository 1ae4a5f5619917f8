// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// `touchline top` on a terminal of python's making, which notes what was printed and what the terminal was like.
struct TerminalProgram {
    /// Each from one homing of the cursor to the next: lines, without what clears and styles them.
    let frames: [[String]]
    let code: Int64
    /// Whether the terminal's modes are what they were before; and whether they were others meanwhile.
    let isRestored: Bool
    let wasTaken: Bool
    let text: String

    enum Step {
        /// Waits until this is printed, then goes on.
        case await(String)
        case type(String)
        /// Random octets as a bad line brings them, without Ctrl-D and the q of quit, which end a console.
        case noise(seed: Int, octets: Int)
        case resize(columns: Int, rows: Int)
        case signal(Int32)
        /// Asks another process to end.
        case end(Int32)
        case kill(Int32)

        fileprivate var json: JSONValue {
            switch self {
            case .await(let text): ["await", .string(text)]
            case .type(let text): ["type", .string(text)]
            case .noise(let seed, let count): ["noise", .integer(Int64(seed)), .integer(Int64(count))]
            case .resize(let columns, let rows): ["resize", .integer(Int64(columns)), .integer(Int64(rows))]
            case .signal(let number): ["signal", .integer(Int64(number))]
            case .end(let process): ["end", .integer(Int64(process))]
            case .kill(let process): ["kill", .integer(Int64(process))]
            }
        }
    }

    /// 80 columns and 24 rows at first.
    static func run(
        _ command: [String], terminal: String = "xterm", _ steps: [Step], within limit: Duration = .seconds(60),
        in venue: TestVenue
    ) async throws -> TerminalProgram {
        let child = try await venue.succeed(
            [
                "python3", "-c", program, terminal, JSONValue.array(steps.map(\.json)).text(),
                JSONValue.array(command.map { .string($0) }).text(),
            ], within: limit)
        let result = try JSONValue.parse(Array(child.output))
        guard let text = result["text"]?.string, let code = result["code"]?.integer else {
            throw VenueError("no result: \(child.outputText)")
        }
        let frames = text.components(separatedBy: "\u{1b}[H").dropFirst().map { frame in
            var plain = frame
            for sequence in ["\u{1b}[K", "\u{1b}[J", "\u{1b}[1m", "\u{1b}[0m", "\u{1b}[?25h", "\u{1b}[?1049l", "\r"] {
                plain = plain.replacingOccurrences(of: sequence, with: "")
            }
            return plain.components(separatedBy: "\n")
        }
        return TerminalProgram(
            frames: frames, code: code, isRestored: result["isRestored"] == true, wasTaken: result["wasTaken"] == true,
            text: text)
    }

    private static let program = #"""
        import fcntl, json, os, pty, random, select, signal, struct, sys, termios, time
        terminal, steps, command = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
        master, slave = pty.openpty()
        OCTETS = [octet for octet in range(256) if octet not in (4, 0x71)]
        def resize(columns, rows):
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        resize(80, 24)
        before = termios.tcgetattr(slave)
        child = os.fork()
        if child == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3): os.dup2(slave, descriptor)
            os.environ["TERM"] = terminal
            os.execv(command[0], command)
        text, seen, taken, ended, deadline = b"", 0, False, None, time.monotonic() + 30
        def read(patience):
            global text
            if select.select([master], [], [], patience)[0]: text += os.read(master, 65536)
        while ended is None and time.monotonic() < deadline:
            if steps:
                kind, *values = steps[0]
                if kind == "await":
                    place = text.find(values[0].encode(), seen)
                    if place < 0: read(0.05)
                    else: seen = place + 1; steps.pop(0)
                else:
                    taken = taken or termios.tcgetattr(slave) != before
                    seen = len(text)
                    if kind == "type": os.write(master, values[0].encode())
                    elif kind == "noise":
                        chance = random.Random(values[0])
                        os.set_blocking(master, False)  # neither end waits for the other to read
                        for _ in range(0, values[1], 200):
                            octets = bytes(chance.choice(OCTETS) for _ in range(200))
                            while octets:
                                ready = select.select([master], [master], [], 5)
                                if ready[0]: os.read(master, 65536)
                                if ready[1]:
                                    try: octets = octets[os.write(master, octets):]
                                    except BlockingIOError: time.sleep(0.001)
                        os.set_blocking(master, True)
                        # What the noise was answered with is of no interest.
                        while select.select([master], [], [], 0.5)[0]: os.read(master, 65536)
                        deadline = time.monotonic() + 30
                    elif kind == "resize": resize(*values)
                    elif kind == "end": os.kill(values[0], signal.SIGTERM)
                    elif kind == "kill": os.kill(values[0], signal.SIGKILL)
                    elif kind == "signal": os.kill(child, values[0])
                    steps.pop(0)
            else: read(0.05)
            done, status = os.waitpid(child, os.WNOHANG)
            if done: ended = os.waitstatus_to_exitcode(status)
        if ended is None: os.kill(child, signal.SIGKILL)
        while select.select([master], [], [], 0.2)[0]: text += os.read(master, 65536)
        json.dump({"text": text.decode(errors="replace"), "code": ended if ended is not None else 999,
            "isRestored": termios.tcgetattr(slave) == before, "wasTaken": taken}, sys.stdout)
        """#
}
