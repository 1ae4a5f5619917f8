// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// SVM-25: what a box keeps of its wire, read by tshark.
    @Suite(.enabled(if: Peer.tshark.isThere && Peer.ffmpeg.isThere && Peer.hasNamespaces)) struct CaptureTests {
        /// A venue in a network of its own at the other end of a wire: 10.9.0.2. The box's end is box0, 10.9.0.1.
        /// - Returns: what stands in front of a command there.
        private static func makeWire(in venue: TestVenue) async throws -> [String] {
            let other = try venue.start(
                ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep 3600"], name: "venue")
            guard try await eventually(within: .seconds(5), { other.outputText.contains("up") }) else {
                throw VenueError("no venue: \(other.messages)")
            }
            let there = "nsenter -t \(other.id) -n"
            for line in [
                "ip link add box0 type veth peer name venue0", "ip link set venue0 netns \(other.id)",
                "ip addr add 10.9.0.1/24 dev box0", "ip link set box0 up", "ip route del 224.0.0.0/4 dev lo",
                "ip route add 224.0.0.0/4 dev box0", "\(there) ip addr add 10.9.0.2/24 dev venue0",
                "\(there) ip link set venue0 up", "\(there) ip route add 224.0.0.0/4 dev venue0",
            ] {
                _ = try await venue.succeed(["sh", "-c", line])
            }
            return ["nsenter", "-t", "\(other.id)", "-n"]
        }

        /// ffmpeg sends a channel there.
        private static func send(_ target: StreamTarget, by entry: [String], in venue: TestVenue) async throws {
            let video = try await CountedVideo.make(in: venue)
            let place = "rtp://\(target.group.address):\(target.group.port)?ttl=1&localaddr=10.9.0.2&pkt_size=1328"
            try venue.start(
                entry + CountedVideo.ffmpeg
                    + ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy", "-f", "rtp_mpegts", place],
                name: "ffmpeg")
        }

        private static func settings(_ target: StreamTarget) -> JSONValue {
            ["network": ["interface": "box0"], "channels": .array([target.json])]
        }

        /// Fetches the file by the pieces that the control socket gives.
        static func fetch(_ box: BoxProcess, as name: String, in venue: TestVenue) throws -> String {
            var file = Data()
            while true {
                let piece = try box.ask("capture-read", ["offset": .integer(Int64(file.count))])
                file += Data(base64Encoded: piece["data"]?.string ?? "") ?? Data()
                guard let next = piece["next"]?.integer, Int(next) == file.count else {
                    throw VenueError("a piece of \(name) is missing")
                }
                if piece["next"] == piece["octets"] { break }
            }
            let path = venue.directory.file(name)
            try file.write(to: URL(fileURLWithPath: path))
            return path
        }

        /// What tshark reads of a file: of each frame these fields.
        static func read(
            _ path: String, _ fields: [String], more: [String] = [], in venue: TestVenue
        ) async throws -> [[String]] {
            var command = [
                Peer.tshark.path, "-n", "-r", path, "-T", "fields", "-E", "separator=;", "-E", "occurrence=a",
            ]
            command += more
            for field in fields { command += ["-e", field] }
            let child = try await venue.succeed(command)
            // A file that ends within a frame is told there, and that tshark runs as root.
            #expect(!child.messages.contains("cut short"), "\(child.messages)")
            return child.outputText.split(separator: "\n").map { line in
                line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            }
        }

        static func number(_ status: JSONValue, _ name: String) -> Int { Int(status[name]?.integer ?? -1) }

        /// What the box tells the network to get a channel; then its RTP, all of it and nothing else, with the time and the
        /// length that it had; and who has which address.
        @Test func tsharkReadsTheWire() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let target = StreamTarget()
                let there = try await Self.makeWire(in: venue)
                try await Self.send(target, by: there, in: venue)
                let box = try await BoxProcess(Self.settings(target), in: venue)
                try await Self.expectMemberships(box, target, in: venue)

                let group = JSONValue.string(target.group.address)
                _ = try box.ask(
                    "capture-start", ["address": group, "port": .integer(Int64(target.group.port)), "seconds": 60])
                let before = try await box.counter("/reception/datagrams")
                try await Task.sleep(for: .seconds(3))
                let after = try await box.counter("/reception/datagrams")
                let status = try box.ask("capture-stop")
                let frames = Self.number(status, "frames")
                #expect(status["dropped"] == 0 && status["interface"] == "box0", "\(status.text())")
                let counted = Int(after - before)
                print("capture: \(frames) frames in the file, \(counted) datagrams counted by the box")
                // ffmpeg sends in bursts, of which one or two may fall between the capture and the counter.
                #expect(counted > 300 && abs(frames - counted) < 60, "\(frames), \(counted)")

                let path = try Self.fetch(box, as: "rtp.pcap", in: venue)
                let rows = try await Self.read(
                    path,
                    [
                        "ip.dst", "udp.dstport", "rtp.seq", "rtp.p_type", "frame.len", "frame.cap_len",
                        "frame.time_epoch",
                    ],
                    more: ["-d", "udp.port==\(target.group.port),rtp"], in: venue)
                #expect(rows.count == frames)
                let (address, port) = (target.group.address, "\(target.group.port)")
                #expect(rows.allSatisfy { $0.count == 7 && $0[0] == address && $0[1] == port && $0[3] == "33" })
                // 14 of Ethernet, 20 of IP, 8 of UDP, 12 of RTP and packets of 188.
                #expect(rows.allSatisfy { $0[4] == "1370" && $0[5] == "262" }, "\(rows.first ?? [])")
                let numbers = rows.compactMap { UInt16($0[2]) }
                let steps = zip(numbers, numbers.dropFirst()).filter { $1 &- $0 != 1 }
                #expect(numbers.count == frames && steps.isEmpty, "no packet is missing: \(steps)")
                let times = rows.compactMap { Double($0[6]) }
                let now = Date().timeIntervalSince1970
                #expect(times == times.sorted() && times.allSatisfy { abs($0 - now) < 60 })
                let span = (times.last ?? 0) - (times.first ?? 0)
                #expect(span > 2.5 && span < 10, "\(span) s")

                try await Self.expectAddresses(box, in: venue)
                try Peer.tshark.log(test: "a channel, its memberships and addresses", checks: 12)
            }
        }

        /// The channel is tuned: a report of IGMP says so, and nothing of what comes then is in the file.
        private static func expectMemberships(
            _ box: BoxProcess, _ target: StreamTarget, in venue: TestVenue
        ) async throws {
            _ = try box.ask("capture-start", ["kind": "igmp"])
            try await box.tune("One")
            try await Task.sleep(for: .seconds(2))
            let status = try box.ask("capture-stop")
            let path = try fetch(box, as: "igmp.pcap", in: venue)
            let rows = try await read(path, ["ip.proto", "igmp.type", "igmp.maddr"], in: venue)
            print("capture: \(rows.count) messages of IGMP and MLD")
            #expect(rows.count == number(status, "frames") && !rows.isEmpty)
            // Those of MLD have no such fields.
            #expect(rows.allSatisfy { $0.count == 3 && ($0[0] == "2" || $0[0].isEmpty) }, "\(rows)")
            #expect(rows.contains { $0[2].contains(target.group.address) }, "\(rows)")
        }

        /// Who asks for an address is seen with the answer.
        private static func expectAddresses(_ box: BoxProcess, in venue: TestVenue) async throws {
            _ = try box.ask("capture-start", ["kind": "arp", "address": "10.9.0.2"])
            _ = try await venue.run(
                ["sh", "-c", "ip neigh flush dev box0; ping -c 1 -W 2 10.9.0.2 >/dev/null"])
            _ = try box.ask("capture-stop")
            let path = try fetch(box, as: "arp.pcap", in: venue)
            let rows = try await read(path, ["arp.opcode", "arp.src.proto_ipv4", "arp.dst.proto_ipv4"], in: venue)
            #expect(rows.contains(["1", "10.9.0.1", "10.9.0.2"]), "\(rows)")
            #expect(rows.contains(["2", "10.9.0.2", "10.9.0.1"]), "\(rows)")
        }

        /// More comes than the ring takes: its newest frames are a whole file, and the box answers all the while.
        @Test func aRingHoldsUnderAFlood() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                let before = try box.residentKilobytes
                let target = Group()
                let flood = Flood([UInt8](repeating: 0x47, count: 400), to: target, senders: 1)
                _ = try box.ask(
                    "capture-start",
                    ["interface": "lo", "port": .integer(Int64(target.port)), "megabytes": 1])
                var longest = 0.0
                for _ in 0..<30 {
                    let asked = ControlSocket.now()
                    let status = try box.ask("capture")
                    longest = max(longest, ControlSocket.now() - asked)
                    #expect(Self.number(status, "octets") <= (1 << 20) + 24 && status["isRunning"] == true)
                    try await Task.sleep(for: .milliseconds(100))
                }
                let status = try box.ask("capture-stop")
                let sent = flood.end()
                print("capture: \(sent) sent, \(status.text()); an answer took \(longest) s")
                #expect(longest < 1, "\(longest) s")
                let (frames, heard) = (Self.number(status, "frames"), Self.number(status, "heard"))
                #expect(frames > 10 && heard > frames * 2, "\(status.text())")
                let grown = try box.residentKilobytes - before
                #expect(grown < 32_768, "\(grown) KiB")
                let path = try Self.fetch(box, as: "flood.pcap", in: venue)
                let rows = try await Self.read(path, ["udp.dstport", "frame.time_epoch"], in: venue)
                #expect(rows.count == frames && rows.allSatisfy { $0[0] == "\(target.port)" })
                try Peer.tshark.log(test: "a flood", checks: 2)
            }
        }

        /// The file by HTTP, whole and in part, for an administrator alone.
        @Test(.enabled(if: Peer.curl.isThere)) func curlFetchesIt() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let box = try await BoxProcess([:], in: venue)
                let port = try box.ask("status")["httpPort"]?.integer ?? 0
                let url = "http://127.0.0.1:\(port)/v1/capture/file.pcap"
                let token =
                    try await box.answer("token-create", "wire", "--role", "administrator")["token"]?.string ?? ""
                func curl(_ words: String...) async throws -> (code: String, type: String) {
                    let child = try await venue.succeed(
                        ["curl", "-sS", "-m", "10", "-w", "%{http_code} %{content_type}"] + words + [url])
                    let parts = child.outputText.split(separator: " ").map(String.init)
                    return (parts.first ?? "", parts.dropFirst().first ?? "")
                }
                let entry = ["-H", "Authorization: Bearer \(token)"]
                let (body, part) = (venue.directory.file("whole.pcap"), venue.directory.file("part.pcap"))
                let nothing = try await curl(entry[0], entry[1], "-o", body)
                #expect(nothing.code == "404", "nothing was captured yet")
                _ = try await box.answer("capture", "start", "lo", "--snap", "65535")
                let early = try await curl(entry[0], entry[1], "-o", body)
                #expect(early.code == "409", "it runs")
                _ = try await venue.run(["ping", "-c", "5", "-i", "0.01", "-s", "9000", "127.0.0.1"])
                let stopped = try await box.answer("capture", "stop")
                #expect(Self.number(stopped, "octets") > 60_000, "\(stopped.text())")
                let stranger = try await curl("-o", body)
                #expect(["401", "403"].contains(stranger.code), "\(stranger)")
                let whole = try await curl(entry[0], entry[1], "-o", body)
                #expect(whole == ("200", "application/vnd.tcpdump.pcap"), "\(whole)")
                let some = try await curl(entry[0], entry[1], "-r", "1000-50999", "-o", part)
                #expect(some.code == "206")
                let bySocket = try Data(
                    contentsOf: URL(fileURLWithPath: try Self.fetch(box, as: "socket.pcap", in: venue)))
                let byHTTP = try Data(contentsOf: URL(fileURLWithPath: body))
                let range = try Data(contentsOf: URL(fileURLWithPath: part))
                #expect(byHTTP == bySocket)
                #expect(range == bySocket.subdata(in: 1_000..<51_000))
                let rows = try await Self.read(body, ["icmp.type"], in: venue)
                #expect(rows.filter { $0 == ["8"] }.count == 5, "\(rows.count)")
                try Peer.curl.log(test: "capture", checks: 5)
            }
        }
    }
}
