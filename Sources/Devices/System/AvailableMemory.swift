// SPDX-License-Identifier: Apache-2.0

/// The memory that programs can still use without swapping, as the kernel estimates it.
public enum AvailableMemory {
    /// Octets; nil if the kernel does not say.
    public static func octets() -> Int? {
        // A file that cannot be read says nothing.
        let text = (try? DurableFile.read("/proc/meminfo")) ?? nil
        return text.flatMap { octets("MemAvailable", in: String(decoding: $0, as: UTF8.self)) }
    }

    /// - Parameter text: of `/proc/meminfo`, which has a line such as `MemAvailable:    3145728 kB`.
    public static func octets(_ name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "\(name):", words[2] == "kB" else { continue }
            guard let product = Int(words[1])?.multipliedReportingOverflow(by: 1_024) else { return nil }
            return product.overflow ? nil : product.partialValue
        }
        return nil
    }
}
