// SPDX-License-Identifier: Apache-2.0

/// The machine, and the service that runs on it.
extension ChainDiagnosis {
    /// So near to the temperature at which the kernel switches the machine off, it is too hot. Thousandths of a degree.
    private static let hotMargin = 5_000
    private static let warmMargin = 15_000
    /// Octets. Below this the kernel is about to end programs.
    private static let leastMemory: Int64 = 16 << 20
    /// Octets. A document of settings and a segment of reports fit.
    private static let littleSpace: Int64 = 2 << 20

    static func power(_ machine: Evidence.Machine) -> LinkFinding {
        switch machine.isUndervolted {
        case true?:
            .broken(.power, "the supply voltage is too low", try: "use the power supply and cable made for the box")
        case false?: .fine(.power, "the supply voltage is as it should be")
        case nil: .unknown(.power, "this board does not measure its supply voltage")
        }
    }

    static func processor(_ machine: Evidence.Machine) -> LinkFinding {
        var known: [String] = []
        var warm: String?
        if let temperature = machine.temperature {
            let text = "\(temperature.zone) has \(temperature.milliCelsius / 1_000) °C"
            known.append(text)
            if let critical = temperature.critical, critical > warmMargin {
                let limit = "\(text) of \(critical / 1_000) °C"
                if temperature.milliCelsius >= critical - hotMargin {
                    return .broken(.processor, limit, try: "give the box air: clear its vents and what is near it")
                }
                if temperature.milliCelsius >= critical - warmMargin { warm = limit }
            }
        }
        if let memory = machine.memory {
            let text = "\(memory.available >> 20) of \(memory.total >> 20) MiB of memory are free"
            if memory.available < leastMemory {
                return .broken(
                    .processor, text, try: "restart the box, and report what took the memory (touchline stats)")
            }
            known.append(text)
        }
        if let warm { return .doubtful(.processor, warm, try: "give the box air") }
        guard !known.isEmpty else { return .unknown(.processor, "neither temperature nor memory is told") }
        return .fine(.processor, known.joined(separator: ", "))
    }

    static func storage(_ machine: Evidence.Machine) -> LinkFinding {
        guard let storages = machine.storages, !storages.isEmpty else {
            return .unknown(.storage, "the file systems were not looked at")
        }
        for storage in storages {
            switch storage.state {
            case .isSilent:
                return .broken(
                    .storage, "the disk of \(storage.path) does not answer", try: "replace the disk or card of the box")
            case .isReadOnly:
                return .broken(
                    .storage, "\(storage.path) is read-only",
                    try: "look for its errors: touchline log --kernel; replace the disk or card if there are any")
            case .isFull:
                return .broken(
                    .storage, "\(storage.path) is full",
                    try: makeRoom(in: storage.path))
            case .space: break
            }
        }
        let spaces = storages.map { storage in
            guard case .space(let available) = storage.state else { return storage.path }
            return "\(storage.path) has \(text(ofOctets: available)) free"
        }
        let little = storages.first { storage in
            if case .space(let available) = storage.state { available < littleSpace } else { false }
        }
        let found = spaces.joined(separator: ", ")
        if let little {
            return .doubtful(.storage, found, try: makeRoom(in: little.path))
        }
        return .fine(.storage, found)
    }

    /// The console can remove incidents. Other files are found with a shell.
    private static func makeRoom(in path: String) -> String {
        "remove incidents that were fetched (touchline incidents); what else fills it: du -x \(path) | sort -n | tail"
    }

    private static func text(ofOctets count: Int64) -> String {
        count >= 10 << 30 ? "\(count >> 30) GiB" : count >= 10 << 20 ? "\(count >> 20) MiB" : "\(count >> 10) KiB"
    }

    static func service(_ service: Evidence.Service) -> LinkFinding {
        switch service {
        case .answers: .fine(.service, "touchlined answers")
        case .isNotRunning(let socket):
            .broken(
                .service, "touchlined is not running (nothing listens at \(socket))",
                try: """
                    switch the box off and on, or start it: systemctl start touchline; why it ended: touchline log
                    """)
        case .isSilent(let socket):
            .broken(
                .service, "touchlined hangs (\(socket) takes connections and does not answer)",
                try: """
                    keep what touchline log says; then switch the box off and on, or restart it: \
                    systemctl restart touchline
                    """)
        case .refuses(let socket):
            .broken(
                .service, "touchlined does not admit this user (\(socket))",
                try: "use an account of the group touchline")
        case .isOdd(let why): .broken(.service, why, try: "see touchline log")
        }
    }
}
