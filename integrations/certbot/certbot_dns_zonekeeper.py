"""DNS authenticator of certbot for Zonekeeper: challenges at any DNS provider, with a token that can do nothing else."""

from typing import Any, Callable, Optional
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from certbot import errors
from certbot.plugins import dns_common

# The service answers when the DNS provider has the change, which may take that long.
TIMEOUT_SECONDS = 90

# Both calls can be repeated. 429 and 503 say with Retry-After when to continue.
RETRIES = Retry(
    total=3,
    connect=1,
    read=0,
    status_forcelist=(429, 503),
    allowed_methods=None,
    raise_on_status=False,
    respect_retry_after_header=True,
)


class Authenticator(dns_common.DNSAuthenticator):
    """Creates and removes the TXT record of a dns-01 challenge (RFC 8555 section 8.4)."""

    description = "Obtain certificates using a DNS TXT record (if Zonekeeper manages your DNS)."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.credentials: Optional[dns_common.CredentialsConfiguration] = None

    @classmethod
    def add_parser_arguments(  # pylint: disable=arguments-differ
        cls, add: Callable[..., None], default_propagation_seconds: int = 10
    ) -> None:
        super().add_parser_arguments(add, default_propagation_seconds)
        add("credentials", help="Path to the file with the address of Zonekeeper and a token.")

    def more_info(self) -> str:
        """Text of `certbot plugins`."""
        return "Creates a TXT record through Zonekeeper for each dns-01 challenge."

    def _setup_credentials(self) -> None:
        self.credentials = self._configure_credentials(
            "credentials",
            "Zonekeeper credentials file",
            {
                "url": "address of Zonekeeper, such as https://dns.example.net",
                "token": "token with the permission acme:challenge",
            },
            _require_address,
        )

    def _perform(self, domain: str, validation_name: str, validation: str) -> None:
        self._client().call("present", validation_name, validation)

    def _cleanup(self, domain: str, validation_name: str, validation: str) -> None:
        self._client().call("cleanup", validation_name, validation)

    def _client(self) -> "Client":
        if self.credentials is None:
            raise errors.Error("The credentials are read before the first challenge.")
        return Client(self.credentials.conf("url"), self.credentials.conf("token"))


def _require_address(credentials: dns_common.CredentialsConfiguration) -> None:
    """Raises PluginError unless the address is one of HTTP."""
    parts = urlsplit(credentials.conf("url"))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise errors.PluginError(
            f"dns_zonekeeper_url in {credentials.confobj.filename} is not an address such as https://dns.example.net."
        )


class Client:
    """The challenge routes of Zonekeeper (docs/acme.md)."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"
        # Otherwise an entry for the host in ~/.netrc would replace the token.
        self.session.auth = lambda request: request
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(max_retries=RETRIES))

    def call(self, action: str, name: str, value: str) -> None:
        """Adds (`present`) or removes (`cleanup`) one value at a name. Raises PluginError with the reason if refused."""
        try:
            answer = self.session.post(
                f"{self.url}/api/v1/acme/{action}",
                json={"fqdn": name, "value": value},
                timeout=TIMEOUT_SECONDS,
                # Followed, a POST would become a GET, or take the token elsewhere.
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise errors.PluginError(f"No answer from Zonekeeper at {self.url}: {error}") from error
        if answer.status_code != 200 or _body_of(answer).get("value") != value:
            raise errors.PluginError(f"Zonekeeper refused to {_WORDS[action]} {name}: {_reason_of(answer, self.url)}")


_WORDS = {"present": "add the challenge", "cleanup": "remove the challenge"}


def _body_of(answer: requests.Response) -> dict:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _reason_of(answer: requests.Response, url: str) -> str:
    """The detail of a problem document (RFC 9457), which has no secrets."""
    detail = _body_of(answer).get("detail")
    if isinstance(detail, str):
        return detail
    return f"HTTP {answer.status_code} without a reason; check that {url} is Zonekeeper"
