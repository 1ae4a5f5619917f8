// SPDX-License-Identifier: Apache-2.0

/// A folder of `Sources/`; the design's table of layers.
enum Layer: String, CaseIterable {
    case programs = "Programs"
    case products = "Products"
    case features = "Features"
    case engines = "Engines"
    case devices = "Devices"
    case wire = "Wire"
    case media = "Media"
    case domain = "Domain"
    case base = "Base"
    case cLibraries = "CLibraries"

    /// Imports point from a greater height to a lesser one; layers of one height do not know each other.
    var height: Int {
        switch self {
        case .programs: 8
        case .products: 7
        case .features: 6
        case .engines: 5
        case .devices: 4
        case .wire, .media: 3
        case .domain: 2
        case .base: 1
        case .cLibraries: 0
        }
    }

    /// The rule that a target of this layer breaks by importing `target`; nil when it may.
    func ruleBroken(byImporting target: Target) -> Rule? {
        switch (self, target.layer) {
        case (.base, .base), (.domain, .domain): nil  // vocabulary on vocabulary; the rule on cycles bounds it
        case (.devices, .devices): target.name == "System" ? nil : .sideways
        case (.domain, .base): ["JSON", "Time"].contains(target.name) ? nil : .reachesPast
        case (.base, .cLibraries), (.wire, .cLibraries), (.devices, .cLibraries): nil
        case (_, let other) where other.height > height: .upward
        case (_, let other) where other.height == height: .sideways
        case (_, .cLibraries): .reachesPast
        default: nil
        }
    }

    /// Modules of the toolchain that this layer must do without.
    var forbiddenModules: Set<String> {
        switch self {
        case .wire, .domain: ["Foundation", "FoundationEssentials", "Glibc"]
        // Only Devices touch the kernel; of Base, a wake-up stands on pthreads.
        case .media, .engines, .features, .products: ["Foundation", "Glibc"]
        case .base, .devices, .programs, .cLibraries: ["Foundation"]
        }
    }
}
