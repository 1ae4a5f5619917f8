// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 3" of the twelfth step: an incident leaves the box through a serial line.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.lrzsz.isThere)) struct IncidentExportTests {
        /// At 115,200 baud, with ten bits for an octet.
        private static let octetsPerSecond = 11_520

        /// By the console, on a line of 115,200 baud: the receiver dies on the way, asks again, and has the file, which is
        /// received again with the same counters.
        @Test func aFileIsSentThroughASerialLineAndGoesOn() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let video = try await CountedVideo.make(in: venue)
                let settings: JSONValue = ["channels": .array([target.json]), "recorder": ["keepsPayload": true]]
                let box = try await BoxProcess(settings, in: venue)
                try venue.start(
                    CountedVideo.ffmpeg + ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
                        + target.output(), name: "ffmpeg")
                try await box.tune(target.name)
                try await Task.sleep(for: .seconds(2))
                let incident = try box.ask("incident-record", ["note": "for the line"])
                let id = try #require(incident["id"]?.string)
                let octets = Int(try #require(incident["octets"]?.integer))
                #expect(octets > 200_000, "pictures are in it")

                let line = [
                    "python3", "-c", Self.line, try Programs.path("touchline"), box.socket, id,
                    venue.directory.path, "\(Self.octetsPerSecond)", "\(octets / 3)",
                ]
                let child = try await venue.succeed(line, within: .seconds(200))
                let result = try JSONValue.parse(Array(child.output))
                let text = result["text"]?.string ?? ""
                let file = venue.directory.file("received/\(id).tli")
                let kept = try #require(result["kept"]?.integer)
                #expect(kept > octets / 5 && kept < octets * 9 / 10, "a part was there: \(kept) of \(octets)")
                #expect(result["code"] == 0, "\(text.suffix(400))")
                // ZMODEM takes a fiftieth for itself, and what stands for control characters another.
                let seconds = try #require(result["seconds"]?.number)
                let least = Double(octets - Int(kept)) / Double(Self.octetsPerSecond)
                #expect(seconds < least * 1.15 + 3, "\(seconds) s for \(octets - Int(kept)) octets")
                print("\(octets) octets, \(kept) of them before the receiver died; the rest took \(seconds) s")

                let own = venue.directory.file("own.tli")
                _ = try await venue.succeed([
                    try Programs.path("touchline"), "--socket", box.socket, "incident-get", id, "--output", own,
                ])
                let whole = try Data(contentsOf: URL(filePath: own))
                #expect(try Data(contentsOf: URL(filePath: file)) == whole && whole.count == octets)
                let replay = try await venue.run([try Programs.path("touchline-replay"), file])
                let told = String(decoding: replay.output, as: UTF8.self)
                #expect(try await replay.exitCode(within: .zero) == 0, "\(told)\(replay.messages)")
                #expect(told.contains("identical"))
                let pictures = try FileManager.default.contentsOfDirectory(atPath: venue.directory.file("received"))
                    .filter { $0.hasSuffix(".png") }
                let picture = venue.directory.file("received/\(try #require(pictures.first))")
                let probed = try await venue.succeed([
                    "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
                    picture,
                ])
                let form = String(decoding: probed.output, as: UTF8.self)
                #expect(form == "png,640,360\n" && pictures.count == 1, "\(form)\(pictures)")
                try Peer.lrzsz.log(test: "incident and screenshot through a serial line", checks: 4)
            }
        }

        /// A console at one end of a line with so many octets a second each way, `rz` at the other.
        private static let line = #"""
            import json, os, pty, select, signal, subprocess, sys, termios, time, tty
            client, socket, name, folder, rate, first = *sys.argv[1:5], int(sys.argv[5]), int(sys.argv[6])
            received = folder + "/received"
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
}
