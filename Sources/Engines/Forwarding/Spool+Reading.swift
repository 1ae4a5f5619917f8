// SPDX-License-Identifier: Apache-2.0
import Bytes
import System
import Time

/// What earlier starts have left.
extension Spool {
    /// Reads the files that were not read yet. One that cannot be read is tried again later, and left alone in the end.
    func readRest(at now: Monotonic) {
        do throws(SystemCallError) {
            if unread == nil { unread = try list() }
            while let file = unread?.last {
                readings += 1
                try read(file)
                leave()
            }
        } catch {
            upkeepFailed(error, at: now)
            guard unread != nil, readings >= SpoolOptions.mostReadings else { return }
            counts.damaged += 1
            if case .state? = unread?.last { isStateKnown = true }
            leave()
        }
    }

    private func leave() {
        unread?.removeLast()
        readings = 0
    }

    /// The state comes first, since it tells what is settled; then the newest segment, since of records that two
    /// segments have, those of the newer one count.
    private func list() throws(SystemCallError) -> [UnreadFile] {
        let names = try files.names()
        strays.formUnion(names.filter { $0 == SpoolState.fileName + DurableFile.suffix })
        isStateKnown = !names.contains(SpoolState.fileName)
        let segments = names.compactMap { SegmentName($0) }.filter { $0.boot != boot }.sorted()
        return segments.map { .segment($0) } + (isStateKnown ? [] : [.state])
    }

    private func read(_ file: UnreadFile) throws(SystemCallError) {
        switch file {
        case .state:
            if let octets = try files.read(SpoolState.fileName, limit: SpoolState.mostOctets) { adoptState(octets) }
            isStateKnown = true
        case .segment(let name):
            let octets = try files.read(name.description, limit: SpoolOptions.mostSegmentOctets)
            guard let octets else { return }
            let content = SegmentContent(octets, of: name.boot, from: name.first)
            counts.damaged += Int64(content.damagedPlaces)
            counts.torn += content.isTorn ? 1 : 0
            let segment = Segment(name, octets: octets.count, content)
            if ledger.adopt(segment, missing: content.missing, before: boot) { isStateDirty = true }
        }
    }

    /// Without its state a spool sends again what was acknowledged; the reporter knows these reports.
    private func adoptState(_ octets: [UInt8]) {
        do throws(WireError) {
            ledger.state.merge(try SpoolState(parsing: octets))
        } catch {
            counts.damaged += 1
        }
    }
}
