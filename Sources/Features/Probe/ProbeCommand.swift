// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct ProbeMedia: DeferredCommand {
    var what = ""

    static let about = About(
        "probe", "Look whether something plays on this box, and why not",
        help: """
            WHAT is the path of a file on the box, a URL of http or https, of which the first part is fetched, or \
            udp://ADDRESS:PORT or rtp://ADDRESS:PORT, to which the box listens for three seconds. It says container and \
            codecs, and what keeps the box from playing it. What plays meanwhile goes on.
            """, role: .administrator, onlyAsks: true)
    static let shape = Shape<Self>([
        .argument("what", \.what, .text(1...2_048), "Path, URL, or address and port.")
    ])

    func run(on probe: Probe, _ reply: Reply<ProbeAnswer>) {
        do throws(Status) {
            probe.begin(try ProbeTarget(what), reply)
        } catch {
            reply(.failure(error))
        }
    }
}
