// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// CSS-01, 19, G-22: a box follows a television of BBC's pydvbcss, whose timeline is that of a channel of ffmpeg's.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.pydvbcss.isThere)) struct TelevisionTests {
        /// Seconds by which pictures may be late or early, by the television's word and theirs. A picture lasts 40 ms.
        private static let nearby = 0.06
        /// Likewise by their time stamps and when each became visible: the dead band of 20 ms, and half as much more.
        private static let exactly = 0.03
        private static let corrected = ["synchronising", "running"]

        /// - Parameter ahead: how far what belongs to a place of the timeline is behind it in the medium, seconds.
        private func expectTogether(
            _ scene: TelevisionScene, with position: Television.Position, _ phase: String, ahead: Double = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var pictures = try await scene.latenessByPictures(of: position) + ahead
            // A busy machine takes a screenshot late.
            for _ in 0..<3 where abs(pictures) > Self.nearby {
                pictures = try await scene.latenessByPictures(of: position) + ahead
            }
            let stamps = try await scene.latenessByTimeStamps(of: position) + ahead
            print("television, \(phase): \(pictures) s late by pictures, \(stamps) s by time stamps")
            #expect(abs(pictures) <= Self.nearby, "\(phase)", sourceLocation: sourceLocation)
            #expect(abs(stamps) <= Self.exactly, "\(phase)", sourceLocation: sourceLocation)
        }

        /// CSS-09, 11: errors within the dead band are left alone, small ones go by rate, and others by one jump.
        @Test func errorsAreLeftAloneOrGoByRateOrByAJump() async throws {
            try await TelevisionScene.open { scene in
                var position = try await scene.lock()
                let locked = try await scene.watch(1)
                #expect(locked.allSatisfy { $0.state == "running" && abs($0.error ?? .infinity) <= 20 })
                try await expectTogether(scene, with: position, "locked")

                let atFirst = try await scene.sound()
                try await left(10, scene)
                try await left(-10, scene)
                position = try await correctedByRate(scene)
                let afterRate = try await scene.sound()
                #expect(afterRate.skipped == atFirst.skipped && afterRate.silence == atFirst.silence)
                try await expectTogether(scene, with: position, "corrected by rate")

                for milliseconds in [100, -2_000] { try await jumpedOver(milliseconds, scene) }
                #expect(try await scene.sound().underruns == atFirst.underruns)
                try Peer.pydvbcss.log(test: #function, checks: 17)
            }
        }

        private func left(_ milliseconds: Int, _ scene: TelevisionScene) async throws {
            let before = try scene.reading()
            let adaptations = try await scene.box.counter("/sync/adaptations")
            try await scene.television.obey("step \(milliseconds)")
            let after = try await scene.watch(3)
            try scene.expect([], "step of \(milliseconds) ms")
            let last = try #require(after.last)
            #expect(abs((last.error ?? 0) - (before.error ?? 0) - Double(milliseconds)) < 5, "it is seen")
            #expect(last.jumps == before.jumps)
            #expect(try await scene.box.counter("/sync/adaptations") == adaptations && adaptations >= 0)
        }

        private func correctedByRate(_ scene: TelevisionScene) async throws -> Television.Position {
            let before = try scene.reading()
            let position = try await scene.television.obey("step 30")
            let readings = try await scene.watch(6)
            try scene.expect(Self.corrected, "step of 30 ms")
            let began = try #require(readings.first { $0.state == "synchronising" })
            let inside = try #require(readings.first { $0.time > began.time && abs($0.error ?? .infinity) <= 20 })
            #expect(began.time - position.time <= 1)
            #expect(inside.time - began.time <= 3)
            let greatest = readings.map { abs($0.partsPerMillion) }.max() ?? .infinity
            #expect(greatest > 1_000 && greatest <= 5_000, "\(greatest) ppm")
            #expect(abs(readings.last?.error ?? .infinity) <= 10)
            #expect(readings.last?.jumps == before.jumps)
            print("television: 30 ms, in the dead band after \(inside.time - began.time) s, at most \(greatest) ppm")
            return position
        }

        private func jumpedOver(_ milliseconds: Int, _ scene: TelevisionScene) async throws {
            let (before, sound) = (try scene.reading(), try await scene.sound())
            let position = try await scene.television.obey("step \(milliseconds)")
            let readings = try await scene.watch(3)
            try scene.expect(Self.corrected, "step of \(milliseconds) ms")
            let jumped = try #require(readings.first { $0.jumps > before.jumps })
            let known = try #require(readings.first { $0.time > jumped.time && $0.state == "running" })
            #expect(jumped.time - position.time <= 1, "done")
            #expect(known.time - position.time <= 2, "and known to be")
            #expect(readings.last?.jumps == before.jumps + 1)
            #expect(abs(readings.last?.error ?? .infinity) <= 20)
            let after = try await scene.sound()
            // No longer than 100 ms, with the fades; what had been decoded ahead is not played.
            let silence = after.silence - sound.silence
            #expect(silence <= 4_800 && after.skipped - sound.skipped <= 48_000, "\(silence) frames")
            print(
                "television: \(milliseconds) ms, jumped after \(jumped.time - position.time) s,",
                "known after \(known.time - position.time) s, \(silence) frames of silence")
            try await expectTogether(scene, with: position, "step of \(milliseconds) ms")
        }

        /// CSS-07, 08, 10: by the strategy `seek` there are jumps alone, at once when the timeline changes; and what
        /// settings say of a place of the timeline is presented there.
        @Test func jumpsAloneGoWhereTimelineAndCorrelationAre() async throws {
            // Between changes nothing is considered for ten seconds: a jump within one second is due to the change.
            try await TelevisionScene.open(sync: ["strategy": "seek", "intervalMs": 10_000]) { scene in
                let locked = try await scene.lock()
                try await expectTogether(scene, with: locked, "locked by a jump")
                for milliseconds in [100, -2_000] { try await jumpedOver(milliseconds, scene) }
                let position = try await jumpedOverLittle(scene)
                for milliseconds in [500, -500] as [Int64] {
                    try await correlated(milliseconds, scene, with: position)
                }
                #expect(try await scene.box.counter("/sync/adaptations") == 0)
                try Peer.pydvbcss.log(test: #function, checks: 25)
            }
        }

        /// What the strategy `adapt` corrects by rate. Where it is not known well enough at first, it is jumped over
        /// when it is considered the next time.
        private func jumpedOverLittle(_ scene: TelevisionScene) async throws -> Television.Position {
            let before = try scene.reading()
            let position = try await scene.television.obey("step 40")
            try await scene.awaitReading("step of 40 ms", within: .seconds(15)) { reading in
                reading.jumps > before.jumps && reading.error.map { abs($0) <= 20 } ?? false
            }
            let after = try await scene.watch(1)
            #expect(after.allSatisfy { $0.partsPerMillion == 0 && $0.jumps == before.jumps + 1 })
            try scene.expect(Self.corrected, "step of 40 ms")
            return position
        }

        /// From now on the medium is so far ahead of the timeline by the settings.
        private func correlated(
            _ milliseconds: Int64, _ scene: TelevisionScene, with position: Television.Position
        ) async throws {
            let before = try scene.reading()
            let medium: JSONValue = [
                "contentId": .string(TelevisionScene.stem), "isRequired": true, "timelineTicks": 900_000,
                "mediaTicks": .integer(900_000 + milliseconds * 90),
            ]
            _ = try scene.socket.ask("config-set", ["path": "sync.media", "value": [medium]])
            let phase = "medium \(milliseconds) ms ahead"
            try await scene.settle(phase, afterJumps: before.jumps)
            try scene.expect(Self.corrected, phase)
            try await expectTogether(scene, with: position, phase, ahead: Double(milliseconds) / 1_000)
        }

        /// CSS-24, 35: a television without CSS-CII, of which settings tell all, by elapsed time at 5 000 ticks; and
        /// then other timelines of the same one, by its CSS-CII.
        @Test func otherTimelinesAreFollowedToo() async throws {
            let elapsed = "tag:rd.bbc.co.uk,2015-12-08:dvb:css:timeline:simple-elapsed-time:"
            let stated = TelevisionScene.Way.stated(selector: elapsed + "5000", ticksPerSecond: 5_000)
            try await TelevisionScene.open(stated) { scene in
                var position = try await scene.lock()
                let report = try scene.socket.ask("sync").result
                #expect(report["selector"] == .string(elapsed + "5000") && report["contentId"] == .null)
                #expect(report["television"] == .string(scene.television.timelineURL))
                try await expectTogether(scene, with: position, "elapsed time, stated")
                let jumps = try scene.reading().jumps
                position = try await scene.television.obey("step -300")
                try await scene.settle("elapsed time moves", afterJumps: jumps)
                try await expectTogether(scene, with: position, "elapsed time that has moved")
                let standard = "urn:dvb:css:timeline:"
                for selector in [elapsed + "1000", standard + "mpd:period:rel:1000", standard + "temi:1:128"] {
                    try await followed(by: selector, scene)
                }
                try Peer.pydvbcss.log(test: #function, checks: 18)
            }
        }

        /// By a timeline of a thousand ticks a second, whose place after ten seconds is half a second ahead in the
        /// medium.
        private func followed(by selector: String, _ scene: TelevisionScene) async throws {
            let medium: JSONValue = [
                "contentId": .string(TelevisionScene.stem), "timelineTicks": 10_000, "mediaTicks": 945_000,
            ]
            let sync: JSONValue = [
                "stated": .null, "television": .string(scene.television.url), "selectors": [.string(selector)],
                "media": [medium],
            ]
            _ = try scene.socket.ask("config-merge", ["settings": ["sync": sync]])
            try await scene.settle(selector)
            #expect(try scene.socket.ask("sync").result["selector"] == .string(selector))
            let jumps = try scene.reading().jumps
            let position = try await scene.television.obey("step -300")
            try await scene.settle(selector, afterJumps: jumps)
            try await expectTogether(scene, with: position, selector, ahead: 0.5)
        }

        /// CSS-03: a file is held to the timeline as a channel is, and goes on as far as it has to.
        @Test func aFileFollows() async throws {
            try await TelevisionScene.open(playing: .file) { scene in
                var position = try await scene.lock()
                try await expectTogether(scene, with: position, "a file, locked")
                let jumps = try scene.reading().jumps
                position = try await scene.television.obey("step 5000")
                try await scene.settle("a file, five seconds on", afterJumps: jumps)
                try await expectTogether(scene, with: position, "a file, five seconds on")
                try await scene.television.obey("pause")
                try await scene.awaitReading("pause") { $0.state == "paused" }
                try await expectStanding(scene)
                try Peer.pydvbcss.log(test: #function, checks: 9)
            }
        }

        /// CSS-12…18, 22, 23, 31…33: each state, with its number's name, as the television makes it.
        @Test func statesFollowWhatTheTelevisionDoes() async throws {
            try await TelevisionScene.open { scene in
                _ = try await scene.lock()
                try await scene.television.obey("pause")
                try await scene.awaitReading("pause") { $0.state == "paused" }
                try scene.expect(["paused"], "pause")
                try await expectStanding(scene)
                var position = try await scene.television.obey("play")
                try await scene.settle("play")
                try scene.expect(["running"], "play", mayCorrect: true)
                try await expectTogether(scene, with: position, "play")

                // A speed that no rate can follow: held, not for long, or the television is where the channel is not yet.
                try await scene.television.obey("speed 2")
                try await scene.awaitReading("double speed") { $0.state == "paused" }
                try await expectStanding(scene)
                try scene.expect(["paused"], "double speed")
                position = try await scene.television.obey("speed 1")
                try await scene.settle("normal speed")
                try scene.expect(["running"] + Self.corrected, "normal speed")
                try await expectTogether(scene, with: position, "normal speed")

                let jumps = try scene.reading().jumps
                position = try await scene.television.obey("seek \(Int(position.ticks))")
                try await scene.settle("seek", afterJumps: jumps)
                try scene.expect(Self.corrected, "seek")
                try await expectTogether(scene, with: position, "seek")

                try await scene.television.obey("unavailable")
                try await scene.awaitReading("unavailable") { $0.state == "syncTimelineUnavailable" }
                try scene.expect(["syncTimelineUnavailable"], "unavailable")
                let free = try await CounterLooks.take(6, of: scene.socket, in: scene.venue)
                #expect(free.isSteady && !free.isStanding, "it plays on")
                try await scene.television.obey("available")
                try await scene.settle("available")
                try scene.expect(["syncTimelineAvailable", "running"], "available", mayCorrect: true)

                try await scene.television.obey("content dvb://233a.1004.1045 final")
                try await scene.awaitReading("other content") { $0.state == "syncTimelineUnavailable" }
                try scene.expect(
                    ["syncTimelineUnavailable"], television: ["presents dvb://233a.1004.1045"], "other content")
                try await scene.television.obey("content \(Television.content) final")
                try await scene.settle("the content again")
                try scene.expect(
                    ["syncTimelineAvailable", "running"], television: ["presents \(Television.content)"],
                    "the content again", mayCorrect: true)
                try await expectTogether(scene, with: position, "the content again")

                _ = try scene.socket.ask("sync-leave")
                try scene.expect(["stopped"], television: ["gone"], "left")
                try Peer.pydvbcss.log(test: #function, checks: 26)
            }
        }

        private func expectStanding(_ scene: TelevisionScene) async throws {
            // The state is that of the television's word; the picture at which it paused may come after it.
            let looks = try await CounterLooks.take(6, of: scene.socket, in: scene.venue).looks.suffix(4)
            #expect(looks.count == 4 && Set(looks.map(\.number)).count == 1)
        }

        /// CSS-25, 27, 28, 33, 36: what a foreign server of CSS-CII tells is shown, and what changes; then it is
        /// followed.
        @Test func informationIsRead() async throws {
            try await TestVenue.open { venue in
                let television = try await Television(in: venue)
                let box = try await BoxProcess([:], in: venue)
                let socket = try ControlSocket(box.socket)
                let said = television.said
                try socket.send("sync-cii", ["url": .string(television.url), "seconds": 3])
                try await television.awaitClient(after: said)
                try await television.obey("status transitioning")
                let answer = try #require(try socket.answers(1).first)
                let told = try #require(answer["result"], "\(answer)")
                #expect(told["protocolVersion"] == "1.1" && told["contentId"] == .string(Television.content))
                #expect(told["contentIdStatus"] == "final" && told["presentationStatus"] == "transitioning")
                #expect(told["mrsUrl"] == "http://resolution.example/mrs" && told["teUrl"] == .null)
                #expect(told["wcUrl"] == .string(television.wallClockURL))
                #expect(told["tsUrl"] == .string(television.timelineURL))
                let timelines = told["timelines"]?.array ?? []
                #expect(timelines.count == 5)
                #expect(timelines.first == "urn:dvb:css:timeline:pts at 90000/1 ticks a second")
                #expect(told["changes"] == ["presentationStatus"])
                #expect(try socket.ask("sync").result["television"] == .null, "it is not followed")

                _ = try socket.ask("sync-join", ["url": .string(television.url)])
                #expect(try await presents("transitioning", socket))
                try await television.obey("status fault overheated")
                #expect(try await presents("fault overheated", socket))
                let events = try socket.ask("events").result["events"]?.array ?? []
                let change = events.last { $0.at("/payload/what") == "information" }
                #expect(change?.at("/payload/details") == ["presentationStatus"])
                #expect(change?.at("/payload/presentationStatus") == "fault overheated")
                try Peer.pydvbcss.log(test: #function, checks: 17)
            }
        }

        private func presents(_ status: String, _ socket: ControlSocket) async throws -> Bool {
            try await eventually(within: .seconds(10)) {
                try socket.ask("sync").result["presentationStatus"] == .string(status)
            }
        }

        /// A television that refuses, and one that is gone and comes back at the same ports.
        @Test func televisionIsFoundAgain() async throws {
            let presents = "presents \(Television.content)"
            try await TelevisionScene.open { scene in
                var position = try await scene.lock()
                try await scene.television.obey("disable")
                try await scene.awaitReading("disabled") { $0.phase == "informationAwaited" }
                // Attempts follow each other with longer and longer pauses, the first of them within two seconds.
                try await Task.sleep(for: .seconds(2.5))
                try scene.expect(
                    ["syncTimelineUnavailable"], television: ["gone", "refuses information 403"], "disabled")
                try await scene.television.obey("enable")
                try await scene.settle("enabled")
                let enabled = try scene.newLines()
                #expect(enabled.states.prefix(2) == ["syncTimelineAvailable", "running"], "\(enabled)")
                // One more refusal was perhaps on its way.
                #expect(enabled.television.suffix(2) == ["found", presents], "\(enabled)")
                try await expectTogether(scene, with: position, "enabled")

                try await scene.television.kill()
                try await scene.awaitReading("killed") { $0.phase == "informationAwaited" }
                try scene.expect(["syncTimelineUnavailable"], television: ["gone"], "killed")
                try await scene.television.restart()
                try await scene.awaitReading("started again", within: .seconds(20)) {
                    $0.phase == "timelineUnavailable"
                }
                try scene.expect([], television: ["found", presents], "started again")
                try await scene.television.obey("seek \(Int(position.ticks(at: ControlSocket.now())))")
                position = try await scene.television.obey("available")
                try await scene.settle("available")
                try scene.expect(["syncTimelineAvailable", "running"], "available", mayCorrect: true)
                try await expectTogether(scene, with: position, "started again")
                try Peer.pydvbcss.log(test: #function, checks: 12)
            }
        }
    }
}
