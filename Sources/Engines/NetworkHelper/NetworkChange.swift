// SPDX-License-Identifier: Apache-2.0
import NetworkFiles
import NetworkPlan

/// What has to be done so that files that are there become those of a plan. Files that are the same are left alone, and
/// so is whoever reads them: a service that starts again interrupts nothing.
struct NetworkChange: Equatable {
    let written: [NetworkFile]
    let removed: [NetworkFile]
    /// In this order, after the files.
    let actions: [SystemAction]

    init(from old: [NetworkFile], to wanted: [NetworkFile]) {
        let names = Set(wanted.map(\.place))
        written = wanted.filter { !old.contains($0) }
        removed = old.filter { !names.contains($0.place) }
        let touched = written + removed
        var actions: [SystemAction] = []
        let (before, after) = (Self.supplicants(of: old), Self.supplicants(of: wanted))
        // A radio must not have two at a time.
        for gone in before where !after.contains(gone) { actions.append(.stop(gone)) }
        for new in after where new.kind == .wifi && !before.contains(new) { actions.append(.stopOwn(new.interface)) }
        if touched.contains(where: { $0.reader == .networkd }) { actions.append(.reloadNetwork) }
        for vlan in Self.vlans(of: old).subtracting(Self.vlans(of: wanted)).sorted() {
            actions.append(.remove(vlan: vlan))
        }
        for supplicant in after where Self.isConcerned(supplicant, by: touched) || !before.contains(supplicant) {
            actions.append(.restart(supplicant))
        }
        for gone in before where gone.kind == .wifi && !after.contains(where: { $0.interface == gone.interface }) {
            actions.append(.startOwn(gone.interface))
        }
        self.actions = actions
    }

    private static func supplicants(of files: [NetworkFile]) -> [Supplicant] {
        files.filter { $0.reader == .supplicant }.compactMap { Supplicant(fileName: $0.name) }
            .sorted { $0.fileName < $1.fileName }
    }

    /// Whether its own file, or one of its certificates, is among these.
    private static func isConcerned(_ supplicant: Supplicant, by files: [NetworkFile]) -> Bool {
        files.contains { file in
            file.reader == .supplicant
                && (file.name == supplicant.fileName
                    || file.name.hasPrefix("\(supplicant.kind.rawValue)-") && file.name.hasSuffix(".pem"))
        }
    }

    private static func vlans(of files: [NetworkFile]) -> Set<InterfaceName> {
        Set(
            files.compactMap { file in
                guard file.reader == .networkd, file.name.hasSuffix(".netdev"),
                    file.name.hasPrefix(NetworkFile.networkdPrefix)
                else { return nil }
                return InterfaceName(String(file.name.dropFirst(NetworkFile.networkdPrefix.count).dropLast(7)))
            })
    }
}

extension NetworkFile {
    /// Where it lies, apart from what it holds.
    var place: String { "\(reader.rawValue)/\(name)" }
}
