//! The server: its socket, its routes and its end.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::{Extension, Router};
use futures_util::future::{Either, select};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::app::{App, PagesRequest, fresh_name};
use super::origin::Access;
use super::origin::Visitor;
use super::pages;
use crate::error::Error;
use crate::population::Listings;

/// Interval between checks whether the server should end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Time for open answers after the end was requested.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Bytes of randomness in a token.
const TOKEN_BYTES: usize = 16;

/// Where a server can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// From this computer only.
    Local,
    /// From other computers, at this address, with a token.
    Network {
        /// The address to listen on.
        address: IpAddr,
        /// Host names that clients may use.
        names: Vec<String>,
    },
}

/// What a server is asked for.
#[derive(Clone, Debug)]
pub struct ServeRequest {
    /// Where it can be reached.
    pub listen: Listen,
    /// The port; 0 for any.
    pub port: u16,
    /// What its pages need.
    pub pages: PagesRequest,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
    app: App,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Takes the port and the folder, and starts the workers.
    ///
    /// # Errors
    ///
    /// If the port is in use, the folder cannot be written, or threads cannot be started.
    pub fn bind(request: &ServeRequest, listings: Listings) -> Result<Self, Error> {
        let ip = match &request.listen {
            Listen::Local => Ipv4Addr::LOCALHOST.into(),
            Listen::Network { address, .. } => *address,
        };
        let asked = SocketAddr::new(ip, request.port);
        let listener = TcpListener::bind(asked).map_err(|error| {
            Error::of(asked, error).with_advice("choose another port with --port, or 0 for any")
        })?;
        let address = listener.local_addr().map_err(Error::io)?;
        listener.set_nonblocking(true).map_err(Error::io)?;
        let (access, token) = match &request.listen {
            Listen::Local => (Access::local(), None),
            Listen::Network { names, .. } => {
                let token = fresh_name::<TOKEN_BYTES>()?;
                (Access::with_token(token.clone(), names), Some(token))
            }
        };
        let app = App::start(&request.pages, listings, access)?;
        Ok(Self {
            listener,
            address,
            token,
            app,
        })
    }

    /// The address to open in a browser, with the token if it needs one.
    pub fn url(&self) -> String {
        let address = match self.address.ip().is_unspecified() {
            true => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), self.address.port()),
            false => self.address,
        };
        match &self.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Answers requests until `is_ended` returns true. Then asks all jobs to stop, and waits until
    /// they have saved their state.
    ///
    /// # Errors
    ///
    /// If the server cannot be started.
    pub fn serve(self, is_ended: &dyn Fn() -> bool) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::io)?;
        let app = self.app.clone();
        let folder = app.shelf.folder().display().to_string();
        tracing::info!(target: "serve", address = %self.address, folder, "listening");
        let served = runtime.block_on(self.accept(is_ended));
        tracing::info!(target: "serve", "stopping");
        app.queue.close();
        // Workers of checks may still run; they hold nothing that must be saved.
        runtime.shutdown_background();
        app.queue.join();
        tracing::info!(target: "serve", "stopped");
        served
    }

    async fn accept(self, is_ended: &dyn Fn() -> bool) -> Result<(), Error> {
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(Error::io)?;
        let router = pages::routes(self.app.clone());
        let (ending, ended) = watch::channel(false);
        loop {
            if is_ended() {
                break;
            }
            let Ok(place) = Arc::clone(&self.app.connections).try_acquire_owned() else {
                // More clients wait in the system's queue.
                tokio::time::sleep(PATIENCE / 10).await;
                continue;
            };
            match tokio::time::timeout(PATIENCE, listener.accept()).await {
                Ok(Ok((stream, address))) => {
                    let router = router.clone().layer(Extension(Visitor::of(address.ip())));
                    let head_time = self.app.limits.head_time;
                    tokio::spawn(connection(place, head_time, router, stream, ended.clone()));
                }
                // Out of files, or the client has gone: the next may be accepted.
                Ok(Err(error)) => {
                    tracing::warn!(target: "serve", %error, "a connection failed");
                    tokio::time::sleep(PATIENCE).await;
                }
                Err(_) => {}
            }
        }
        // Jobs are told first, so that open pages see it.
        self.app.queue.close();
        // Nobody listens if no connection is open.
        let _ = ending.send(true);
        let until = Instant::now() + LAST_ANSWERS;
        while self.app.open_connections() > 0 && Instant::now() < until {
            tokio::time::sleep(PATIENCE / 10).await;
        }
        Ok(())
    }
}

/// Answers the requests of an open connection.
async fn connection(
    place: OwnedSemaphorePermit,
    head_time: Duration,
    router: Router,
    stream: tokio::net::TcpStream,
    mut ended: watch::Receiver<bool>,
) {
    // The server may also be gone.
    let ended = pin!(async move { drop(ended.wait_for(|ended| *ended).await) });
    // Answers are small: they are sent at once.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    let builder = builder
        .timer(TokioTimer::new())
        .header_read_timeout(head_time);
    let served = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // The server ignores clients that break off.
    if let Either::Right((_, mut served)) = select(pin!(served), ended).await {
        served.as_mut().graceful_shutdown();
        let _ = served.await;
    }
    drop(place);
}
