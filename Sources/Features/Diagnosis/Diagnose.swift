// SPDX-License-Identifier: Apache-2.0
import Commands
import Diagnosing
import Shapes

struct Diagnose: DeferredCommand {
    static let about = About(
        "diagnose", "Find the first broken link between the head-end and the screen",
        help: """
            Walks the chain that a picture takes, in the order of causes: power, processor, storage, service, display, \
            link, association, address, multicast, announcements, licence, stream, repair, decoder, plane, sound. One \
            sentence names the first link that is broken, and what to try; --long shows what to try for each. What \
            cannot be observed is blamed for nothing. Where the service does not answer, touchline looks by itself.
            """,
        form: .table, example: "")
    static let shape = Shape<Self>()

    func run(on diagnosis: Diagnosis, _ reply: Reply<ChainDiagnosis>) {
        diagnosis.diagnose { reply(.success($0)) }
    }
}
