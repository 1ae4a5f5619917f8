// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import FeatureTesting
import Hosting
import JSON
import Shapes
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Capture

/// SVM-25 by the commands, given to the feature alone.
@Suite(.serialized) struct CaptureTests {
    /// A feature with its loop.
    private final class Scene {
        let context: FeatureContext
        let features: FeatureHost

        init(_ sources: Capture.Sources = Capture.Sources(helper: "/nowhere"), settings: JSONValue = [:]) throws {
            var context = try FeatureContext.testing(settings: settings)
            context.provide(sources)
            self.context = context
            features = try FeatureHost([Capture.self], context)
            features.start()
        }

        deinit { features.stop() }

        func ask(_ name: String, _ arguments: JSONValue = [:]) throws -> Result<JSONValue, Status> {
            let catalogue = Catalogue(FeatureDeclarations([Capture.self]).commands)
            let request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
            var answered: Result<JSONValue, Status>?
            #expect(features.handle(request) { answered = $0 })
            let deadline = SystemClock.monotonic() + .seconds(20)
            while answered == nil, SystemClock.monotonic() < deadline {
                try context.loop.turn(atMost: .milliseconds(20))
            }
            return try #require(answered)
        }

        func refusal(_ name: String, _ arguments: JSONValue = [:]) throws -> String {
            switch try ask(name, arguments) {
            case .success(let answer): return "taken: \(answer.text())"
            case .failure(let status): return status.errorString
            }
        }

        /// An answer in the form that is promised.
        func status(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
            let answer = try ask(name, arguments).get()
            #expect(CaptureStatus.kind.accepts(answer), "\(answer.text())")
            return answer
        }

        /// The file as a client fetches it.
        func file() throws -> [UInt8] {
            var file: [UInt8] = []
            while true {
                let piece = try ask("capture-read", ["offset": .integer(Int64(file.count))]).get()
                #expect(FilePiece.kind.accepts(piece))
                let data = try #require(piece["data"]?.string.flatMap { Base64.decode($0) })
                #expect(data.count <= 48 << 10)
                file += data
                #expect(piece["next"]?.integer == Int64(file.count))
                if piece["next"] == piece["octets"] { return file }
                try #require(!data.isEmpty)
            }
        }
    }

    @Test func beforeTheFirstThereIsNothing() throws {
        let scene = try Scene()
        let status = try scene.status("capture")
        #expect(status == ["isRunning": false, "heard": 0, "frames": 0, "dropped": 0, "octets": 0])
        let stopped = try scene.status("capture-stop")
        #expect(stopped == status, "to stop what does not run changes nothing")
        let told = try scene.refusal("capture-read")
        #expect(told == "nothing was captured; expected capture-start before")
    }

    /// Twenty long datagrams for somebody who listens.
    private static let traffic = """
        from socket import *
        listener, sender = socket(AF_INET, SOCK_DGRAM), socket(AF_INET, SOCK_DGRAM)
        listener.bind(("127.0.0.1", 5004))
        for _ in range(20): sender.sendto(bytes(20000), ("127.0.0.1", 5004))
        """

    @Test(.enabled(if: OwnNetwork.canBeMade)) func aFileOfWhatIsHeard() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            let scene = try Scene()
            let began = try scene.status("capture-start", ["interface": "lo", "snap": 65_535, "seconds": 600])
            #expect(began["isRunning"] == true && began["interface"] == "lo" && began["filter"] == "everything")
            #expect((595...600).contains(began["endsInS"]?.integer ?? 0))
            let again = try scene.refusal("capture-start", ["interface": "lo"])
            #expect(again == "lo is captured already; expected capture-stop before")
            let early = try scene.refusal("capture-read")
            #expect(early == "the capture still runs; expected capture-stop before its file is read")
            try #require(OwnNetwork.shell("python3 -c '\(Self.traffic)'"))
            let ended = try scene.status("capture-stop")
            #expect(ended["isRunning"] == false && ended["endsInS"] == nil && ended["id"] == began["id"])
            let frames = try #require(ended["frames"]?.integer)
            let octets = try #require(ended["octets"]?.integer)
            #expect(frames >= 20 && octets > 200_000, "\(ended.text())")
            let file = try scene.file()
            #expect(file.count == Int(octets) && file.prefix(4) == [0xa1, 0xb2, 0x3c, 0x4d])
            let behind = try scene.refusal("capture-read", ["offset": .integer(octets + 1)])
            #expect(behind == "offset: \(octets + 1) is behind the end; expected 0...\(octets)")
            // The next one begins anew.
            _ = try scene.status("capture-start", ["interface": "lo", "kind": "igmp"])
            let next = try scene.status("capture-stop")
            #expect(next["frames"] == 0 && next["octets"] == 24 && next["filter"] == "igmp")
        }
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func withoutAnInterfaceItIsThatOfTheSettings() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.connect())
            let set = try Scene(settings: ["network": ["interface": "venue0"]])
            let named = try set.status("capture-start")
            #expect(named["interface"] == "venue0")
            let free = try Scene()
            let first = try free.status("capture-start")
            #expect(["box0", "venue0"].contains(first["interface"]?.string ?? ""), "\(first.text())")
        }
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func whereThereIsNoInterfaceItSaysSo() throws {
        try OwnNetwork.run {
            let told = try Scene().refusal("capture-start")
            #expect(told == "the box has no interface but loopback; expected the name of one")
            let other = try Scene().refusal("capture-start", ["interface": "nowhere0"])
            #expect(other == "bind packet nowhere0: No such device")
        }
    }

    @Test func whatNobodyMayOrCanIsRefused() throws {
        var sources = Capture.Sources(helper: "/nowhere/capture.sock")
        sources.asksHelper = true
        let scene = try Scene(sources)
        let missing = try scene.refusal("capture-start", ["interface": "lo"])
        #expect(missing.hasPrefix("/nowhere/capture.sock is not there; expected the helper"), "\(missing)")
        let shown = try scene.status("capture")
        #expect(shown["isRunning"] == false && shown["problem"]?.string == missing)
        let read = try scene.refusal("capture-read")
        #expect(read == missing)
        let ports = try scene.refusal("capture-start", ["interface": "lo", "kind": "igmp", "port": 5_004])
        #expect(ports == "port is 5004; expected none, because igmp has no ports")
        let odd = try scene.refusal("capture-start", ["interface": "eth0:1"])
        #expect(odd.hasPrefix("interface is \"eth0:1\"; expected the name of an interface"), "\(odd)")
    }

    @Test(
        arguments: [
            ["interface": "a/b"], ["address": "tv"], ["port": 0], ["port": 65_536], ["kind": "tcp"], ["seconds": 0],
            ["seconds": 3_601], ["snap": 63], ["snap": 65_536], ["megabytes": 0], ["megabytes": 33], ["filter": "udp"],
        ] as [JSONValue])
    func argumentsHaveBounds(arguments: JSONValue) {
        #expect(throws: CommandError.self) {
            try CommandRequest(CommandDescription(StartCapture.self), arguments: arguments)
        }
    }

    /// What the file may hold is for administrators alone; that there is one, everybody may know.
    @Test func onlyAdministratorsCapture() {
        let roles = Dictionary(
            uniqueKeysWithValues: FeatureDeclarations([Capture.self]).commands.map { ($0.name, $0.role) })
        #expect(
            roles == [
                "capture": .viewer, "capture-start": .administrator, "capture-stop": .administrator,
                "capture-read": .administrator,
            ])
    }

    /// The same loop of a client fetches both.
    @Test func piecesHaveTheFormOfThoseOfIncidents() {
        let names = FilePiece.descriptions.map(\.name)
        #expect(names == ["id", "octets", "next", "data"])
    }
}
