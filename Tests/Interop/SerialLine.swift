// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// A serial line of 115,200 baud that leads from a box's console to a technician's computer, which takes files by ZMODEM.
struct SerialLine {
    /// Ten bits for an octet.
    static let octetsPerSecond = 11_520

    /// The incident as it came, a PNG of the screen, and what was typed and shown.
    let file: String
    let picture: String
    let text: String
    /// Octets that were there when the receiver died.
    let kept: Int

    /// Fetches an incident: the receiver dies on the way, asks again, and has the rest in the time that the line takes. Then
    /// fetches a screenshot.
    static func fetch(
        _ id: String, of octets: Int, from box: BoxProcess, in venue: TestVenue
    ) async throws -> SerialLine {
        let directory = venue.directory.file("received-\(id)")
        let child = try await venue.succeed(
            [
                "python3", "-c", program, try Programs.path("touchline"), box.socket, id, directory,
                "\(octetsPerSecond)", "\(octets / 3)",
            ], within: .seconds(200))
        let result = try JSONValue.parse(Array(child.output))
        let text = result["text"]?.string ?? ""
        let kept = Int(try #require(result["kept"]?.integer))
        #expect(result["code"] == 0, "\(text.suffix(400))")
        // ZMODEM takes a fiftieth for itself, and what stands for control characters another.
        let seconds = try #require(result["seconds"]?.number)
        let least = Double(octets - kept) / Double(octetsPerSecond)
        #expect(seconds < least * 1.15 + 3, "\(seconds) s for \(octets - kept) octets")
        print("\(id): \(octets) octets, \(kept) of them before the receiver died; the rest took \(seconds) s")
        let pictures = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".png") }
        #expect(pictures.count == 1, "\(pictures)")
        return SerialLine(
            file: "\(directory)/\(id).tli", picture: "\(directory)/\(pictures.first ?? "")", text: text, kept: kept)
    }

    /// A console at one end of a line with so many octets a second each way, `rz` at the other.
    private static let program = #"""
        import json, os, pty, select, signal, subprocess, sys, termios, time, tty
        client, socket, name, received, rate, first = *sys.argv[1:5], int(sys.argv[5]), int(sys.argv[6])
        os.mkdir(received)
        child, master = pty.fork()
        if child == 0:
            os.environ["TERM"] = "dumb"
            os.execv(client, [client, "--socket", socket, "console"])
        text = b""
        def wait(word, patience=30):
            global text
            begun, deadline = len(text), time.monotonic() + patience
            while word not in text[begun:]:
                if time.monotonic() > deadline: raise SystemExit(f"no {word} in {text[-500:]}")
                if select.select([master], [], [], 0.1)[0]: text += os.read(master, 4096)
        def receive(until):
            """Starts rz and leads octets to and fro; kills it after so many octets. Returns whether it ended by itself."""
            program = subprocess.Popen(["rz", "--binary", "--quiet", "--resume"], cwd=received,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            os.set_blocking(program.stdout.fileno(), False)
            passed, begun = 0, time.monotonic()
            while program.poll() is None:
                due = int((time.monotonic() - begun) * rate)
                ready = select.select([master] if passed < due else [], [], [], 0.005)[0]
                if ready:
                    octets = os.read(master, min(256, due - passed))
                    passed += len(octets)
                    try: os.write(program.stdin.fileno(), octets)
                    except BrokenPipeError: break
                try: octets = os.read(program.stdout.fileno(), 256)
                except BlockingIOError: octets = b""
                if octets: os.write(master, octets)
                if until and passed > until: program.kill()
            return program.wait() == 0
        wait(b"touchline> ")
        os.write(master, b"incident-get " + name.encode() + b"\r")
        wait(b"**\x18B0")
        assert not receive(first)
        os.write(master, b"\x18" * 10)
        wait(b"touchline> ", 120)
        kept = os.path.getsize(f"{received}/{name}.tli")
        begun = time.monotonic()
        os.write(master, b"incident-get " + name.encode() + b"\r")
        wait(b"**\x18B0")
        receive(0)
        seconds = time.monotonic() - begun
        # The other end may say its last words again, which the console takes for a line; it goes on.
        os.write(master, b"\r")
        wait(b"touchline> ")
        os.write(master, b"version\r")
        wait(b"touchline> ")
        os.write(master, b"screenshot --as png\r")
        wait(b"**\x18B0")
        receive(0)
        os.write(master, b"\r")
        wait(b"touchline> ")
        os.write(master, b"version\r")
        wait(b"touchline> ")
        os.write(master, b"exit\r")
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        text = "".join(chr(octet) if octet in b"\n" or 32 <= octet < 127 else "." for octet in text)
        json.dump({"text": text, "code": code, "kept": kept,
            "seconds": seconds}, sys.stdout)
        """#
}
