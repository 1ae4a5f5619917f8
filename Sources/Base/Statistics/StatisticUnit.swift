// SPDX-License-Identifier: Apache-2.0

/// The unit of a statistic. For counted things it is their name: `"packets"`, `"pictures"`.
public struct StatisticUnit: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Symbol for people: `packets`, `us`; empty if the number has no unit.
    public let symbol: String
    /// Base unit in OpenMetrics: `packets`, `seconds`.
    let base: String
    /// Decimal places from this unit to `base`: 6 for microseconds.
    let decimals: Int
    /// Suffix of names of statistics in this unit: `Us`. OpenMetrics names have `base` in its place.
    let suffix: String

    private init(_ symbol: String, of base: String, decimals: Int, suffix: String) {
        self.symbol = symbol
        self.base = base
        self.decimals = decimals
        self.suffix = suffix
    }

    /// - Parameter things: name of the counted things, plural, `[a-z_]+`.
    public init(stringLiteral things: String) { self.init(things, of: things, decimals: 0, suffix: "") }

    /// The unit of a state, a position or another number that counts nothing.
    public static let none = StatisticUnit("", of: "", decimals: 0, suffix: "")
    public static let octets = StatisticUnit("octets", of: "bytes", decimals: 0, suffix: "Octets")
    public static let seconds = StatisticUnit("s", of: "seconds", decimals: 0, suffix: "Seconds")
    public static let milliseconds = StatisticUnit("ms", of: "seconds", decimals: 3, suffix: "Ms")
    public static let microseconds = StatisticUnit("us", of: "seconds", decimals: 6, suffix: "Us")
    public static let nanoseconds = StatisticUnit("ns", of: "seconds", decimals: 9, suffix: "Ns")
    public static let microhertz = StatisticUnit("uHz", of: "hertz", decimals: 6, suffix: "MicroHertz")
    public static let partsPerThousand = StatisticUnit("per mille", of: "ratio", decimals: 3, suffix: "")
    public static let partsPerMillion = StatisticUnit("ppm", of: "ratio", decimals: 6, suffix: "PPM")
    public static let partsPerBillion = StatisticUnit("ppb", of: "ratio", decimals: 9, suffix: "PPB")
    public static let centidecibels = StatisticUnit("0.01 dB", of: "decibels", decimals: 2, suffix: "Centidecibels")
    public static let decibelMilliwatts = StatisticUnit("dBm", of: "dbm", decimals: 0, suffix: "Dbm")
    public static let megahertz = StatisticUnit("MHz", of: "hertz", decimals: -6, suffix: "MHz")
    public static let bitsPerSecond = StatisticUnit(
        "bit/s", of: "bits_per_second", decimals: 0, suffix: "BitsPerSecond")
}
