//! Where a request comes from: the server's own pages, the address line, another program, or a page
//! of another site.
//!
//! Every page of the web can make a browser send requests to this computer. A page of another site
//! may link here, and such a link fills in a form at most. Browsers say where a request comes from
//! in `Sec-Fetch-Site`, but leave it out for addresses of other computers without encryption; then
//! `Origin` and `Referer` decide, which the server's own pages always send. A browser's request
//! without these headers counts as one from another site. Other programs send no such header either,
//! and no page controls them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::header::{HeaderName, ORIGIN, REFERER, USER_AGENT};
use axum::http::{HeaderMap, Method, StatusCode};

use super::refusal::Refusal;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What shows a page within another one.
const FRAMES: [&str; 5] = ["iframe", "frame", "fencedframe", "embed", "object"];

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The user: by the server's own pages, the address line, or another program.
    User,
    /// A link on a page of another site, maybe without a click.
    Elsewhere,
}

/// The address of a client: jobs are shared out by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visitor(IpAddr);

impl Visitor {
    /// The visitor at this address. A client of IPv6 chooses the lower half itself.
    pub(super) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

impl Default for Visitor {
    fn default() -> Self {
        Self(Ipv4Addr::LOCALHOST.into())
    }
}

/// Who may send requests.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The token; `None` if only this computer can connect.
    pub(super) token: Option<String>,
    /// Host names beside `localhost`, in lower case.
    pub(super) names: Vec<String>,
}

impl Access {
    /// Requests from this computer, without a token.
    pub(super) fn local() -> Self {
        Self {
            token: None,
            names: Vec::new(),
        }
    }

    /// Requests with this token, to any IP address or one of these host names.
    pub(super) fn with_token(token: String, names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self {
            token: Some(token),
            names: names.collect(),
        }
    }
}

/// What the guard tells the handlers of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) source: Source,
    pub(super) visitor: Visitor,
}

impl Visit {
    /// Whether the request may begin work.
    pub(super) fn is_of_user(self) -> bool {
        self.source == Source::User
    }
}

/// Says where a request to this host comes from.
///
/// # Errors
///
/// If a page of another site sends it, unless it is a link.
pub(super) fn source(method: &Method, host: &str, headers: &HeaderMap) -> Result<Source, Refusal> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if text(FETCH_DEST).is_some_and(|of| FRAMES.contains(&of)) {
        return Err(foreign("pages of this server are not shown in other pages"));
    }
    let is_host = |address: &str| is_of_host(address, host);
    let is_here = |site: &str| matches!(site, "same-origin" | "none");
    let origin = text(ORIGIN).map(is_host);
    let (referer, site) = (text(REFERER).map(is_host), text(FETCH_SITE).map(is_here));
    let told = [origin, referer, site];
    let is_browser = text(USER_AGENT).is_some_and(|agent| agent.starts_with("Mozilla/"));
    if !told.contains(&Some(false)) && (told.contains(&Some(true)) || !is_browser) {
        return Ok(Source::User);
    }
    // Forms have an origin, and pictures and scripts are not navigated to.
    let is_navigation = site != Some(false) || text(FETCH_MODE) == Some("navigate");
    match *method != Method::POST && origin != Some(false) && is_navigation {
        true => Ok(Source::Elsewhere),
        false => Err(foreign("the request comes from another site")),
    }
}

/// Whether an address is one of this host.
fn is_of_host(address: &str, host: &str) -> bool {
    let bare = address.strip_prefix("http://");
    bare.or_else(|| address.strip_prefix("https://"))
        .and_then(|bare| bare.split('/').next())
        .is_some_and(|of| of.eq_ignore_ascii_case(host))
}

fn foreign(what: &str) -> Refusal {
    let message = format!("{what}: use the pages of this server");
    Refusal::new(StatusCode::FORBIDDEN, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    use Source::{Elsewhere, User};

    const HERE: &str = "localhost:7474";
    const BROWSER: (&str, &str) = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)");

    fn of(method: &Method, pairs: &[(&str, &str)]) -> Option<Source> {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            (name, value.parse().expect("a value"))
        });
        source(method, HERE, &pairs.collect()).ok()
    }

    /// For GET and POST: who asks, or `None` for a refusal.
    type Expected = [Option<Source>; 2];
    const FINE: Expected = [Some(User), Some(User)];
    const LINK: Expected = [Some(Elsewhere), None];
    const REFUSED: Expected = [None, None];

    #[test]
    fn only_the_user_begins_work() {
        let site = |site| ("sec-fetch-site", site);
        let origin = |origin| ("origin", origin);
        let referer = |referer| ("referer", referer);
        let navigate = ("sec-fetch-mode", "navigate");
        let cases: &[(&[(&str, &str)], Expected)] = &[
            // Other programs, and browsers on the server's own pages.
            (&[], FINE),
            (&[("user-agent", "curl/8.14.1")], FINE),
            (&[origin("http://localhost:7474")], FINE),
            (&[origin("https://LOCALHOST:7474"), BROWSER], FINE),
            (&[site("same-origin"), BROWSER], FINE),
            (&[site("none"), navigate, BROWSER], FINE),
            (&[referer("http://localhost:7474/theory"), BROWSER], FINE),
            // Links on other pages, with and without what new browsers send.
            (&[site("cross-site"), navigate, BROWSER], LINK),
            (&[site("same-site"), navigate, BROWSER], LINK),
            (&[referer("http://evil.example/"), BROWSER], LINK),
            (&[referer("http://evil.example/")], LINK),
            (&[referer("http://localhost:74740/")], LINK),
            (&[referer("http://localhost:7474.evil.example/")], LINK),
            (&[referer("http://localhost:7474@evil.example/")], LINK),
            (&[BROWSER], LINK),
            // Forms, frames, pictures and scripts of other pages.
            (&[origin("http://evil.example")], REFUSED),
            (&[origin("http://localhost:3000")], REFUSED),
            (&[origin("null")], REFUSED),
            (&[origin("null"), site("same-origin")], REFUSED),
            (&[site("cross-site")], REFUSED),
            (
                &[site("cross-site"), ("sec-fetch-mode", "no-cors")],
                REFUSED,
            ),
            (
                &[site("cross-site"), navigate, ("sec-fetch-dest", "iframe")],
                REFUSED,
            ),
            (
                &[site("same-origin"), navigate, ("sec-fetch-dest", "frame")],
                REFUSED,
            ),
        ];
        for (pairs, expected) in cases {
            let found = [Method::GET, Method::POST].map(|method| of(&method, pairs));
            assert_eq!(found, *expected, "{pairs:?}");
        }
    }

    #[test]
    fn a_visitor_of_ipv6_is_a_network() {
        let of = |text: &str| Visitor::of(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::2:3"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.2"), of("10.0.0.2"));
        assert_ne!(of("10.0.0.2"), of("10.0.0.3"));
    }
}
