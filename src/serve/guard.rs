//! The guard before every handler: which requests are answered, and the headers of every answer.
//!
//! A browser sends requests to this computer for any page of the web. So a request needs a `Host`
//! that no other site can have (against DNS rebinding), and a request that begins something must
//! not come from another site (`origin.rs`). On an address that other computers reach, every request
//! needs the token.

use std::future::Future;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, HeaderName,
    LOCATION, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::origin::{Access, Source, Visit, Visitor, source};
use super::refusal::Refusal;

/// The policy of all pages: nothing from elsewhere, and nothing inline.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// The policy of report pages and sheets, which have their style in themselves: no scripts at all.
pub(super) const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; \
     frame-ancestors 'none'; base-uri 'none'",
);

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The cookie that carries the token.
const COOKIE_NAME: &str = "fairdeal_token";

/// What to do with a request.
#[derive(Debug)]
enum Admission {
    /// Answer it.
    Admitted(Source),
    /// Keep the token of its address in a cookie, and go to the same address without it.
    Entered { cookie: String, to: String },
}

impl Access {
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Admission, Refusal> {
        let host = self.host(uri, headers)?;
        self.check_method(method)?;
        let source = source(method, &host, headers)?;
        let Some(token) = &self.token else {
            return Ok(Admission::Admitted(source));
        };
        if let Some((given, rest)) = token_of_query(uri)
            && method == Method::GET
        {
            if !is_same(given, token) {
                return Err(wrong_token());
            }
            let rest = match rest.is_empty() {
                true => rest,
                false => format!("?{rest}"),
            };
            return Ok(Admission::Entered {
                cookie: format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax"),
                to: format!("{}{rest}", local_path(uri)),
            });
        }
        match token_of_headers(headers) {
            Some(given) if is_same(given, token) => Ok(Admission::Admitted(source)),
            _ => Err(wrong_token()),
        }
    }

    /// The host that the request names, if it is this server.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<String, Refusal> {
        let mut all = headers.get_all(HOST).iter();
        let (first, more) = (all.next(), all.next());
        let host = first.and_then(|host| host.to_str().ok());
        let Some(host) = host.filter(|_| more.is_none()) else {
            return Err(Refusal::bad("the request needs one header `Host`"));
        };
        let of_uri = uri.authority().map(|authority| authority.as_str());
        let is_ours = self.is_ours(host) && of_uri.is_none_or(|of_uri| of_uri == host);
        match is_ours {
            true => Ok(host.to_ascii_lowercase()),
            false => Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server does not have the name in the address: use 127.0.0.1 or localhost; \
                 other names are given when the server is started",
            )),
        }
    }

    /// Whether another site cannot have this host: `localhost`, an address of numbers, or a name
    /// that the user gave.
    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
                name
            }
            _ => &host,
        };
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        match bare.unwrap_or(name).parse::<IpAddr>() {
            Ok(IpAddr::V6(_)) if bare.is_none() => false,
            Ok(address) => address.is_loopback() || self.token.is_some(),
            Err(_) => name == "localhost" || self.names.iter().any(|known| known == name),
        }
    }

    fn check_method(&self, method: &Method) -> Result<(), Refusal> {
        match *method {
            Method::GET | Method::HEAD | Method::POST => Ok(()),
            _ => Err(Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "only GET, HEAD and POST are supported",
            )),
        }
    }
}

/// Compares without a time that depends on the place of the difference.
fn is_same(given: &str, token: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(token.as_bytes())
}

fn wrong_token() -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "this server needs the token that it printed when it started: use the whole address, or \
         enter the token here",
    )
}

/// The token in the address, and the rest of the query.
fn token_of_query(uri: &Uri) -> Option<(&str, String)> {
    let mut token = None;
    let rest = uri.query()?.split('&').filter(|pair| {
        match pair.strip_prefix("token=") {
            Some(value) => token = Some(value),
            None => return true,
        }
        false
    });
    let rest: Vec<&str> = rest.collect();
    token.map(|token| (token, rest.join("&")))
}

/// The path of an address; `//host` would lead elsewhere.
fn local_path(uri: &Uri) -> String {
    format!("/{}", uri.path().trim_start_matches(['/', '\\']))
}

fn token_of_headers(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(AUTHORIZATION);
    let bearer = bearer.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let mut cookie = || cookies.find(|(name, _)| *name == COOKIE_NAME);
    bearer.or_else(|| Some(cookie()?.1))
}

/// Admits or refuses a request, and adds the headers of every answer.
pub(super) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let checked = app
        .access
        .check(request.method(), request.uri(), request.headers());
    // Uploads have limits of their own.
    let media_type = request.headers().get(CONTENT_TYPE);
    let is_upload = media_type.is_some_and(|of| of.as_bytes().starts_with(b"multipart/"));
    let is_form = request.method() == Method::POST && !is_upload;
    let mut response = match checked {
        Err(refusal) => refusal.into_response(),
        Ok(Admission::Entered { cookie, to }) => entered(&cookie, &to),
        Ok(Admission::Admitted(source)) => {
            let visitor = request.extensions().get::<Visitor>().copied();
            let visitor = visitor.unwrap_or_default();
            request.extensions_mut().insert(Visit { source, visitor });
            answered(&app, is_form, next.run(request)).await
        }
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        // With `no-referrer`, browsers send forms with the origin `null`.
        (REFERRER_POLICY, "same-origin"),
        (RESOURCE_POLICY, "same-origin"),
        (OPENER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Waits for an answer; for a form, not too long.
async fn answered(app: &App, is_form: bool, answer: impl Future<Output = Response>) -> Response {
    if !is_form {
        return answer.await;
    }
    let answer = tokio::time::timeout(app.limits.form_time, answer).await;
    answer.unwrap_or_else(|_| Refusal::too_slow().into_response())
}

fn entered(cookie: &str, to: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    for (name, value) in [(SET_COOKIE, cookie), (LOCATION, to)] {
        match HeaderValue::from_str(value) {
            Ok(value) => response.headers_mut().insert(name, value),
            Err(_) => return Refusal::bad("the address has control characters").into_response(),
        };
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            (name, HeaderValue::from_str(value).expect("a value"))
        });
        pairs.collect()
    }

    fn status(access: &Access, method: &Method, to: &str, pairs: &[(&str, &str)]) -> u16 {
        let uri = to.parse().expect("an address");
        match access.check(method, &uri, &headers(pairs)) {
            Ok(Admission::Admitted(_)) => 200,
            Ok(Admission::Entered { .. }) => 303,
            Err(refusal) => refusal.into_parts().0.as_u16(),
        }
    }

    #[test]
    fn hosts_that_another_site_can_have_are_refused() {
        let (local, open) = (
            Access::local(),
            Access::with_token("t".to_owned(), &["Laptop.local".to_owned()]),
        );
        for (host, here, listening) in [
            ("127.0.0.1:7474", true, true),
            ("127.0.0.1", true, true),
            ("localhost:7474", true, true),
            ("LOCALHOST:1", true, true),
            ("[::1]:7474", true, true),
            ("192.168.1.5:7474", false, true),
            ("laptop.local:7474", false, true),
            ("::1", false, false),
            ("evil.example:7474", false, false),
            ("localhost.evil.example", false, false),
            ("127.0.0.1.evil.example", false, false),
            ("127.0.0.1:7474:80", false, false),
            ("user@localhost", false, false),
            ("", false, false),
        ] {
            assert_eq!(local.is_ours(host), here, "{host}");
            assert_eq!(open.is_ours(host), listening, "{host}");
        }
        let get = Method::GET;
        assert_eq!(status(&local, &get, "/", &[]), 400);
        assert_eq!(
            status(
                &local,
                &get,
                "/",
                &[("host", "localhost"), ("host", "localhost")]
            ),
            400
        );
        assert_eq!(status(&local, &get, "/", &[("host", "evil.example")]), 421);
        let absolute = "http://evil.example/";
        assert_eq!(
            status(&local, &get, absolute, &[("host", "localhost")]),
            421
        );
    }

    #[test]
    fn only_three_methods_are_answered() {
        let here = ("host", "localhost:7474");
        for (method, wanted) in [
            (Method::GET, 200),
            (Method::HEAD, 200),
            (Method::POST, 200),
            (Method::PUT, 405),
            (Method::OPTIONS, 405),
        ] {
            assert_eq!(status(&Access::local(), &method, "/", &[here]), wanted);
        }
    }

    #[test]
    fn with_a_token_nothing_is_answered_without_it() {
        let open = Access::with_token("abc123".to_owned(), &[]);
        let here = ("host", "10.0.0.2:7474");
        for (to, pair, wanted) in [
            ("/", ("accept", "*/*"), 401),
            ("/assets/style.css", ("accept", "*/*"), 401),
            ("/?token=wrong", ("accept", "*/*"), 401),
            ("/?token=abc123", ("accept", "*/*"), 303),
            ("/", ("authorization", "Bearer abc123"), 200),
            ("/", ("authorization", "Bearer abc12"), 401),
            ("/", ("cookie", "a=b; fairdeal_token=abc123"), 200),
            ("/", ("cookie", "fairdeal_token=abc1234"), 401),
        ] {
            assert_eq!(
                status(&open, &Method::GET, to, &[here, pair]),
                wanted,
                "{to} {pair:?}"
            );
        }
        let uri: Uri = "http://10.0.0.2:7474//evil.example/x?a=1&token=abc123&b=2"
            .parse()
            .expect("an address");
        match open.check(&Method::GET, &uri, &headers(&[here])) {
            Ok(Admission::Entered { cookie, to }) => {
                assert_eq!(to, "/evil.example/x?a=1&b=2");
                assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
            }
            other => panic!("{other:?}"),
        }
    }
}
