// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Journal
import Venue

/// What decodes on this box (SVM-23, 24).
extension ControlPlane {
    func listDecoders(_ answer: @escaping (Result<JSONValue, Status>) -> Void) {
        decoders.reader.read { [unowned self] in answer(.success(["decoders": .array(decoderReport.rows)])) }
    }

    var decoderFigures: DecoderFigures {
        let desk = decoders.reader.desk
        return DecoderFigures(desk.budget, desk.counts, lastRefusal: desk.lastRefusal)
    }

    private var decoderReport: DecoderReport {
        DecoderReport(budget: decoders.reader.desk.budget, board: decoders.board.file)
    }

    /// At start. A box whose file is refused goes by what its drivers say.
    func tellOfDecoders() {
        let log = journal.log(for: "decoders")
        for refusal in decoders.board.refusals {
            for problem in refusal.problems {
                log(.error, "a board's file is not taken", ["file": refusal.file, "problem": problem])
            }
            emit(.service, "decodersRefused", refusal.json)
        }
        for device in decoders.reader.desk.budget.inventory.devices {
            log(
                .info, "decoder",
                [
                    "path": device.path, "driver": device.driver, "kind": device.kind.rawValue,
                    "codecs": device.streams.map(\.coding.rawValue).joined(separator: ","),
                ])
        }
    }
}
