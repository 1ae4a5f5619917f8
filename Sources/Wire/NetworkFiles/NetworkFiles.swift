// SPDX-License-Identifier: Apache-2.0
import NetworkPlan

/// A file that the plan asks for.
public struct NetworkFile: Hashable, Sendable {
    /// Whose file it is.
    public enum Reader: String, Sendable, CaseIterable {
        /// systemd-networkd, in a directory that everybody may read. Its files have no secret.
        case networkd
        /// wpa_supplicant, in a directory of root's alone.
        case supplicant
    }

    /// With which the names of networkd's files begin. They sort before those of the image.
    public static let networkdPrefix = "60-touchline-"

    public let reader: Reader
    /// A name without a directory, of letters, digits, '.', '_' and '-'.
    public let name: String
    public let text: String

    public init(reader: Reader, name: String, text: String) {
        self.reader = reader
        self.name = name
        self.text = text
    }
}

/// Who lets the box in, and on which interface.
public struct Supplicant: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case wifi
        /// IEEE 802.1X on a wire.
        case wired
    }

    public let kind: Kind
    public let interface: InterfaceName

    public init(_ kind: Kind, on interface: InterfaceName) {
        self.kind = kind
        self.interface = interface
    }

    /// The name of its file.
    public var fileName: String { "\(kind.rawValue)-\(interface).conf" }

    /// The supplicant whose file has this name; nil if it is none.
    public init?(fileName: String) {
        guard fileName.hasSuffix(".conf") else { return nil }
        let stem = fileName.dropLast(5)
        guard let dash = stem.firstIndex(of: "-"), let kind = Kind(rawValue: String(stem[..<dash])),
            let interface = InterfaceName(String(stem[stem.index(after: dash)...]))
        else { return nil }
        self.init(kind, on: interface)
    }
}

/// Why a plan is nothing for this box.
public enum NetworkFilesError: Error, Equatable, Sendable, CustomStringConvertible {
    case noDevice(path: String, wanted: InterfaceName?, there: [InterfaceName])
    case severalDevices(path: String, there: [InterfaceName])

    public var description: String {
        func list(_ names: [InterfaceName]) -> String {
            names.isEmpty ? "there is none" : "there is " + names.map(\.description).joined(separator: ", ")
        }
        switch self {
        case .noDevice(let path, let wanted, let there):
            return "\(path) is \"\(wanted?.description ?? "")\"; expected an interface of the box: \(list(there))"
        case .severalDevices(let path, let there):
            return "\(path) is \"\"; expected the name of one of several interfaces: \(list(there))"
        }
    }
}

/// Everything that the programs of the box have to read, so that its network is as the plan says.
public struct NetworkFiles: Equatable, Sendable {
    /// In the order of their names.
    public let files: [NetworkFile]
    public let supplicants: [Supplicant]
    /// The VLANs that networkd makes.
    public let vlans: Set<InterfaceName>

    /// Nothing.
    public init() { (files, supplicants, vlans) = ([], [], []) }

    /// A plan that says nothing has no files.
    /// - Parameters:
    ///   - plan: one without problems.
    ///   - devices: the wires and radios of the box.
    public init(_ plan: NetworkPlan, devices: [NetworkDevice]) throws(NetworkFilesError) {
        var maker = FileMaker(plan: plan, devices: devices.sorted { $0.name < $1.name })
        if !plan.saysNothing {
            try maker.addWired()
            try maker.addWireless()
        }
        files = maker.files.sorted { ($0.reader.rawValue, $0.name) < ($1.reader.rawValue, $1.name) }
        supplicants = maker.supplicants
        vlans = maker.vlans
    }
}

/// Makes the files one after the other.
private struct FileMaker {
    let plan: NetworkPlan
    let devices: [NetworkDevice]
    var files: [NetworkFile] = []
    var supplicants: [Supplicant] = []
    var vlans: Set<InterfaceName> = []

    mutating func addWired() throws(NetworkFilesError) {
        let wired = plan.wired
        let link = NetworkText.Link(
            addresses: wired.addresses, gateways: wired.gateways, plan: plan, metric: NetworkText.wiredMetric)
        guard wired != WiredPlan() else { return addAll(isWireless: false, link) }
        let interface = try device(wired.interface, isWireless: false, "/wired/interface")
        if let vlan = wired.vlan {
            let name = InterfaceName(ofVLAN: vlan)
            vlans.insert(name)
            add(.networkd, "\(interface).network", NetworkText.trunk(interface, carrying: name))
            add(.networkd, "\(name).netdev", NetworkText.device(name, vlan: vlan))
            add(.networkd, "\(name).network", NetworkText.network(name, link))
        } else {
            add(.networkd, "\(interface).network", NetworkText.network(interface, link))
        }
        guard wired.authentication.method != .none else { return }
        let supplicant = Supplicant(.wired, on: interface)
        supplicants.append(supplicant)
        add(.supplicant, supplicant.fileName, SupplicantText.wired(wired.authentication))
        addCertificates(wired.authentication, of: .wired)
    }

    mutating func addWireless() throws(NetworkFilesError) {
        let wifi = plan.wifi
        let link = NetworkText.Link(
            addresses: wifi.addresses, gateways: wifi.gateways, plan: plan, metric: NetworkText.wirelessMetric)
        guard wifi != WirelessPlan() else { return addAll(isWireless: true, link) }
        let interface = try device(wifi.interface, isWireless: true, "/wifi/interface")
        add(.networkd, "\(interface).network", NetworkText.network(interface, link))
        guard let ssid = wifi.ssid else { return }
        let supplicant = Supplicant(.wifi, on: interface)
        supplicants.append(supplicant)
        add(.supplicant, supplicant.fileName, SupplicantText.wireless(wifi, ssid: ssid))
        if wifi.authentication.method != .none { addCertificates(wifi.authentication, of: .wifi) }
    }

    /// Every wire, or every radio, of which the plan says nothing: it has the servers that the plan names.
    private mutating func addAll(isWireless: Bool, _ link: NetworkText.Link) {
        for device in devices where device.isWireless == isWireless {
            add(.networkd, "\(device.name).network", NetworkText.network(device.name, link))
        }
    }

    private func device(
        _ wanted: InterfaceName?, isWireless: Bool, _ path: String
    ) throws(NetworkFilesError) -> InterfaceName {
        let there = devices.filter { $0.isWireless == isWireless }.map(\.name)
        if let wanted {
            guard there.contains(wanted) else { throw .noDevice(path: path, wanted: wanted, there: there) }
            return wanted
        }
        guard let only = there.first else { throw .noDevice(path: path, wanted: nil, there: []) }
        guard there.count == 1 else { throw .severalDevices(path: path, there: there) }
        return only
    }

    private mutating func addCertificates(_ authentication: PortAuthentication, of kind: Supplicant.Kind) {
        add(.supplicant, SupplicantText.authorityName(of: kind), authentication.authority.text)
        guard authentication.method == .tls else { return }
        add(.supplicant, SupplicantText.certificateName(of: kind), authentication.certificate.text)
        add(.supplicant, SupplicantText.keyName(of: kind), authentication.privateKey.text)
    }

    private mutating func add(_ reader: NetworkFile.Reader, _ name: String, _ text: String) {
        let prefix = reader == .networkd ? NetworkFile.networkdPrefix : ""
        files.append(NetworkFile(reader: reader, name: prefix + name, text: text))
    }
}
