// SPDX-License-Identifier: Apache-2.0
import Control

/// The files of the folder `Page` by their path. They are embedded in the program.
enum LivePage {
    static let pages: [String: HTTPPage] = [
        "/": HTTPPage(PackageResources.index_html, type: "text/html; charset=utf-8"),
        "/page.css": HTTPPage(PackageResources.page_css, type: "text/css; charset=utf-8"),
        "/page.js": HTTPPage(PackageResources.page_js, type: script),
        "/api.js": HTTPPage(PackageResources.api_js, type: script),
        "/counters.js": HTTPPage(PackageResources.counters_js, type: script),
        "/lineup.js": HTTPPage(PackageResources.lineup_js, type: script),
        "/login.js": HTTPPage(PackageResources.login_js, type: script),
        "/picture.js": HTTPPage(PackageResources.picture_js, type: script),
        "/plots.js": HTTPPage(PackageResources.plots_js, type: script),
        "/settings.js": HTTPPage(PackageResources.settings_js, type: script),
        "/sync.js": HTTPPage(PackageResources.sync_js, type: script),
        "/theme.js": HTTPPage(PackageResources.theme_js, type: script),
        "/icon.svg": HTTPPage(PackageResources.icon_svg, type: "image/svg+xml"),
    ]

    private static let script = "text/javascript; charset=utf-8"
}
