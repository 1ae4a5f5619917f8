// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

extension RelayPlan {
    public static let usage = """
        usage: touchline-streamer relay --from GROUP:PORT[,PORT...] --to GROUP:PORT[,PORT...] [OPTION...]

        Hears datagrams, does to them what a bad network does, and sends them on. The same seed does the same again.

          --from GROUP:PORT[,PORT...]  what is heard: media and its repair, each port a flow; may be repeated
          --to GROUP:PORT[,PORT...]    where it goes, in the same order; one port: the others as far apart as in --from
          --second-from, --second-to   the second path of ST 2022-7, with bursts and outages of its own
          --interface NAME             interface that is listened on, and sent by unless --out says another
          --out NAME                   interface that is sent by
          --hops N                     TTL of multicast, 1...255; 16
          --loss SHARE                 datagrams dropped: 5% or 0.05
          --burst N                    dropped in a row on average, 1...1000 (Gilbert-Elliott); without: each by itself
          --reorder SHARE              held back, so that others overtake them
          --duplicate SHARE            sent twice
          --hold TIME                  how long those are held back, copies at most: 20ms
          --corrupt SHARE              with one bit turned over
          --delay TIME                 of all: 30ms or 1.5s
          --jitter TIME                up to so much more for each; none overtakes another for it
          --outage TIME                nothing passes for so long, on one path after the other
          --every TIME                 from one outage of a path to its next; at least twice the outage
          --seed N                     1
          --ledger FILE|-              JSON lines: what was dropped, copied, damaged or overtaken, and the totals at the end
          --seconds N                  ends by itself; else SIGINT or SIGTERM ends it
          --help                       print this

        """

    public enum Parsed: Equatable, Sendable {
        case run(RelayPlan)
        case printHelp
        /// What is wrong with the command line; exit code 2.
        case refuse(String)
    }

    /// - Parameter words: the words after `relay`.
    public static func parse(_ words: [String]) -> Parsed {
        var parser = RelayWords(words[...])
        do throws(RelayWords.Refusal) {
            return try parser.read().map(Parsed.run) ?? .printHelp
        } catch {
            return .refuse(error.text)
        }
    }
}
