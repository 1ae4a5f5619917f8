// SPDX-License-Identifier: Apache-2.0

extension ManualPage {
    /// touchlined(8): the service and its options.
    static func service() -> String {
        var page = Roff("touchlined", section: 8, summary: "service of a Touchline box")
        page.section("SYNOPSIS")
        let options = ServiceOptions.all.map { "[\(HelpText.option($0))]" }
        page.opening((["touchlined"] + options).joined(separator: " "))
        page.section("DESCRIPTION")
        page.opening(
            """
            Hears the multicast channels of a venue, decodes the one that is tuned and shows it, and tells whoever asks how
            it fares. Without settings it listens for announcements on the usual groups and shows a slate that says who it
            is and what it hears. It is asked with touchline(1).
            """)
        page.paragraph(
            """
            It stays in the foreground and logs to standard error, each line with the priority that journald reads. One
            service runs on a box: a second one ends with status 75.
            """)
        page.section("OPTIONS")
        write(ServiceOptions.all, to: &page)
        page.section("SIGNALS")
        page.item("SIGTERM, SIGINT, SIGHUP", "End the service in good order, as the command shutdown does.")
        writeExitStatus(to: &page)
        page.section("ENVIRONMENT")
        page.item(
            "NOTIFY_SOCKET",
            """
            Set by systemd for Type=notify: READY=1 is sent when anything is on the screen, WATCHDOG=1 while pictures are
            composed, STOPPING=1 at the end.
            """)
        page.item("TZ", "Zone of the local times that are shown; absent: that of the machine.")
        page.section("FILES")
        page.item("/etc/touchline/config.json", "Settings: touchline-config(5).")
        page.item("/var/lib/touchline", "What the box keeps: its identity.")
        page.item(
            "/usr/share/touchline/boards",
            "What the boards say of their decoders, one file each, sealed by the image's SHA256SUMS.")
        page.item("/run/touchline/control.sock", "Control socket.")
        page.section("SEE ALSO")
        page.opening(ManualPage.touchlined.relatives + ", systemd.service(5)")
        return page.text
    }
}
