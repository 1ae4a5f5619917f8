// SPDX-License-Identifier: Apache-2.0
import Time

extension TextFormat {
    /// A time that a person may have written.
    public static let instant = TextFormat(
        "a time like 2026-11-21T01:02:03Z",
        schema: [
            "maxLength": 63,
            "pattern":
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
        ]
    ) { WallTime(rfc3339: $0) != nil }
}
