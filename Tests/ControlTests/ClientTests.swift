// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Control
import ControlClient
import Foundation
import System
import Testing

/// The program `touchline` without its process.
struct ClientTests {
    final class Heard {
        var data: [UInt8] = []
        var messages: [String] = []
        var text: String { String(decoding: data, as: UTF8.self) }
    }

    func run(
        _ words: [String], isTerminal: Bool = false, isPlain: Bool = false, columns: Int = 80
    ) -> (code: Int32, heard: Heard) {
        let heard = Heard()
        let streams = ClientStreams(
            write: { heard.data += $0 }, tell: { heard.messages.append($0) }, isTerminal: isTerminal, isStyled: false,
            isPlain: isPlain, columns: columns)
        return (CommandLineClient.run(words, streams: streams), heard)
    }

    @Test func worksWithTheServiceDead() {
        let socket = ["--socket", "/nonexistent/c.sock"]
        #expect(run(["--help"] + socket).code == 0)
        let usage = "Usage: touchline tune [--program PROGRAM] [--region REGION] CHANNEL\n"
        #expect(run(["help", "tune"]).heard.text.hasPrefix(usage))
        #expect(run(["completion", "bash"]).heard.text.contains("complete -F _touchline touchline"))
        let (code, heard) = run(["status"] + socket)
        #expect(code == 69)
        #expect(heard.data.isEmpty)
        #expect(
            heard.messages == [
                "no service at /nonexistent/c.sock (No such file or directory); start it (systemctl start touchline) or name its"
                    + " socket with --socket"
            ])
    }

    @Test func saysWhatWasExpected() {
        let (code, heard) = run(["tunee", "One"])
        #expect(code == 2)
        #expect(heard.messages == ["unknown command 'tunee'; expected 'tune'?"])
        #expect(run([]).code == 2)
    }

    @Test func asksTheService() throws {
        let box = try ServedBox()
        defer { box.stop() }
        let socket = ["--socket", box.path]
        let tuned = run(socket + ["tune", "One"])
        #expect(tuned.code == 0)
        #expect(tuned.heard.text == "channel  One\n")
        let json = run(socket + ["tune", "One", "--json"])
        #expect(json.heard.text == "{\n  \"channel\": \"One\"\n}\n")
        let failed = run(socket + ["tune", "Nine"])
        #expect(failed.code == 1)
        #expect(failed.heard.messages == ["no channel 'Nine'; see channels"])
        #expect(failed.heard.data.isEmpty)
        #expect(run(socket + ["version"]).code == 75)
        #expect(run(socket + ["channels", "--names"]).heard.text == "One\nTwo\u{fffd} words\n")
        #expect(run(socket + ["events"]).heard.text.contains(" 1 service.tick "))
    }

    @Test func writesPictures() throws {
        let box = try ServedBox()
        defer { box.stop() }
        let socket = ["--socket", box.path]
        let file = DurableFile.parent(of: box.path) + "/shot.png"
        #expect(run(socket + ["screenshot", "--output", file]).code == 0)
        #expect(try DurableFile.read(file, limit: 4_000_000) == StandInBox.picture)
        #expect(run(socket + ["screenshot"]).heard.data == StandInBox.picture)
        #expect(run(socket + ["screenshot", "--output", "-"]).heard.data == StandInBox.picture)
        let terminal = run(socket + ["screenshot", "--as", "png"], isTerminal: true)
        #expect(terminal.code == 2)
        #expect(
            terminal.heard.messages == [
                "standard output is a terminal; expected --output PATH, or --as blocks, ascii or sixel"
            ])
        #expect(run(socket + ["screenshot", "--output", "/nonexistent/a.png"]).code == 1)
    }

    /// At a terminal a screenshot is text that fits it; a text that does more with a terminal is refused.
    @Test func picturesForATerminalAreText() throws {
        let box = try ServedBox()
        defer { box.stop() }
        let take = ["--socket", box.path, "screenshot"]
        #expect(run(take, isTerminal: true).heard.text == "blocks 78\n")
        #expect(run(take, isTerminal: true, isPlain: true).heard.text == "ascii 78\n")
        #expect(run(take, isTerminal: true, columns: 60).heard.text == "blocks 60\n")
        #expect(run(take, isTerminal: true, columns: 5).heard.text == "blocks 20\n")
        #expect(run(take + ["--columns", "100", "--as=sixel"], isTerminal: true).heard.text == "sixel 100\n")
        #expect(run(take + ["--output", "-"], isTerminal: true).heard.text == "blocks 78\n")
        #expect(run(take + ["--as", "ascii"]).heard.text == "ascii 0\n", "a pipe has no columns")
        let file = DurableFile.parent(of: box.path) + "/shot.txt"
        #expect(run(take + ["--as", "sixel", "--output", file], isTerminal: true).code == 0)
        #expect(try DurableFile.read(file) == Array("sixel 0\n".utf8))
        let hostile = run(take + ["--as", "blocks", "--columns", "66"], isTerminal: true)
        #expect(hostile.code == 1 && hostile.heard.data.isEmpty)
        #expect(hostile.heard.messages == ["the service sent a text that is no picture of a terminal"])
        #expect(run(take + ["--columns", "9"], isTerminal: true).code == 2)
    }
}
