{{/* The configuration of a component, TOML. `@NAME@` stands for the address of a Service until the proof writes it. */}}
{{- define "doublethink.toml" -}}
{{- $root := .root -}}
{{- $v := .root.Values -}}
{{- $flows := .root.Files.Get "files/flows.yaml" | fromYaml -}}
{{- $p := "/etc/doublethink/private" -}}
[listen]
{{- if eq .component "console" }}
{{- if $v.networkPolicy.consolePeers }}
# Whoever may connect is in the network policy, and the ingress ends the TLS of browsers.
http = "@EVERY@:8443"
beyond_loopback = true
{{- else }}
http = "127.0.0.1:8443"
{{- end }}
{{- else if ne .component "sealer" }}
rpc = "@POD@:7443"
{{- end }}
health = "@POD@:7444"
metrics = "@POD@:7445"
{{- if ne .component "sealer" }}

[tls]
certificate = "{{ $p }}/tls/tls.crt"
key = "{{ $p }}/tls/tls.key"
authority = "{{ $p }}/tls/ca.crt"
{{- end }}
{{- with index $flows.rpc .component }}

[peers]
{{- range . }}
{{ . }} = "@{{ . | upper }}@:7443"
{{- end }}
{{- end }}
{{- if eq .component "gate" }}

[database]
dsn_file = "{{ $p }}/secrets/dsn"

[keys]
directory = "{{ $p }}/keys"

[limits]
# Thirty of the pod's seconds pass before the process hears of its end, and ten are for what comes after the calls.
stop_s = {{ min 3600 (max 5 (sub (int (include "doublethink.settings" . | fromYaml).terminationGracePeriodSeconds) 40)) }}

[source]
kind = {{ $v.gate.source.kind | toJson }}
{{- if eq $v.gate.source.kind "replay" }}
recording = {{ required "gate.source.recording is missing" $v.gate.source.recording | toJson }}
{{- else }}
base_url = {{ $v.gate.source.baseUrl | toJson }}
{{- end }}
{{- if eq $v.gate.source.kind "tavily" }}
api_key_file = "{{ $p }}/secrets/tavily.key"
{{- end }}
{{- with $v.gate.source.socket }}
socket = {{ . | toJson }}
{{- end }}
{{- if ne $v.gate.model.kind "none" }}

[model]
kind = {{ $v.gate.model.kind | toJson }}
base_url = {{ $v.gate.model.baseUrl | toJson }}
api_key_file = "{{ $p }}/secrets/claude.key"
name = {{ required "gate.model.name is missing" $v.gate.model.name | toJson }}
{{- end }}
{{- if $v.gate.policy }}

[policy]
file = "/etc/doublethink/policy/policy.yaml"
{{- end }}
{{- else if eq .component "planner" }}
{{- if include "doublethink.hasModel" $root }}

[model]
dialect = {{ $v.planner.model.kind | toJson }}
name = {{ $v.planner.model.name | toJson }}
socket = "/run/doublethink/model/model.sock"
seconds = {{ $v.planner.model.seconds }}
{{- end }}
{{- else if eq .component "reader" }}

[reader]
back_end = {{ $v.reader.backEnd | toJson }}
{{- else if eq .component "console" }}

[database]
dsn_file = "{{ $p }}/secrets/dsn"

[keys]
directory = "{{ $p }}/keys"

[access]
{{- if not $v.console.oidc.enabled }}
token_file = "{{ $p }}/secrets/token"
{{- end }}
{{- if $v.console.collector.existingSecret }}
collector_token_file = "{{ $p }}/secrets/collector.token"
{{- end }}
hosts = {{ prepend ($v.console.hosts | default list) "127.0.0.1:8443" | uniq | toJson }}
{{- if or $v.console.ingress.enabled $v.console.oidc.enabled }}
secure_cookie = true
{{- end }}
{{- with $v.console.oidc }}
{{- if .enabled }}

[oidc]
issuer = {{ .issuer | toJson }}
audience = {{ .audience | toJson }}
keys_file = "/etc/doublethink/identity/jwks.json"
header = {{ .header | toJson }}
{{- with .authorizedParties }}
authorized_parties = {{ . | toJson }}
{{- end }}
algorithms = {{ .algorithms | toJson }}
untyped = {{ .untyped }}
leeway_s = {{ .leewaySeconds }}
longest_minutes = {{ .longestMinutes }}
name_claim = {{ .nameClaim | toJson }}
groups_claim = {{ .groupsClaim | toJson }}
teams = [
{{- range .teams }}
  {group = {{ .group | toJson }}, team = {{ .team | toJson }}},
{{- end }}
]
approvers = {{ .approvers | toJson }}
self_approval = {{ .selfApproval }}
log_readers = {{ .logReaders | toJson }}
{{- with .signOutUrl }}
sign_out_url = {{ . | toJson }}
{{- end }}
{{- end }}
{{- end }}

[back_ends]
planner = {{ eq $v.planner.model.kind "none" | ternary "rules" $v.planner.model.kind | toJson }}
reader = {{ $v.reader.backEnd | toJson }}
source = {{ $v.gate.source.kind | toJson }}
{{- if include "doublethink.hasModel" $root }}

[planner_model]
name = {{ $v.planner.model.name | toJson }}
digest = {{ $v.planner.model.digest | toJson }}
{{- end }}

[runs]
tenant = {{ $v.console.tenant | toJson }}
concurrent = {{ $v.console.concurrentRuns }}
{{- else if eq .component "sealer" }}

[database]
dsn_file = "{{ $p }}/secrets/dsn"

[log]
origin = {{ required "sealer.origin is missing: the log's name, such as ledger.example.com/deals" $v.sealer.origin | toJson }}

[keys]
sign = ["{{ $p }}/keys/log.pem"]
trusted = ["{{ $p }}/keys/log.vkey"]

[places]
folders = ["/var/lib/doublethink/checkpoints"]
{{- if $v.sealer.objectStore.existingSecret }}
object_stores = ["{{ $p }}/store/store.toml"]
{{- end }}
{{- end }}
{{ end -}}

{{/* The forwarder's, which lies in the planner's pod. */}}
{{- define "doublethink.forwarderToml" -}}
{{- with .Values.planner.model -}}
[listen]
socket = "/run/doublethink/model/model.sock"
health = "@POD@:7454"
metrics = "@POD@:7455"

[model]
dialect = {{ .kind | toJson }}
address = "{{ .address | default "http://@MODEL@:11434" }}"
name = {{ .name | toJson }}
digest = {{ .digest | toJson }}
void_promise = {{ .voidPromise }}

[limits]
seconds = {{ .seconds }}
at_once = {{ .atOnce }}
{{ end -}}
{{- end -}}

{{/* The ports that Services open, by component. Gives YAML. */}}
{{- define "doublethink.servicePorts" -}}
gate: {rpc: 7443, metrics: 7445}
planner: {rpc: 7443, metrics: 7445}
validator: {rpc: 7443, metrics: 7445}
reader: {rpc: 7443, metrics: 7445}
console: {metrics: 7445{{ if .Values.networkPolicy.consolePeers }}, http: 8443{{ end }}}
sealer: {metrics: 7445}
{{- if include "doublethink.hasPostgres" . }}
postgres: {postgres: 5432}
{{- end }}
{{- if include "doublethink.hasOllama" . }}
model: {model: 11434}
{{- end }}
{{- end -}}

{{/* Which of those ports a component may connect to, by component. Argument: dict "root" "component". Gives YAML. */}}
{{- define "doublethink.reachable" -}}
{{- $flows := .root.Files.Get "files/flows.yaml" | fromYaml -}}
{{- range index $flows.rpc .component }}
{{ . }}: [rpc]
{{- end }}
{{- if and (has .component $flows.database) (include "doublethink.hasPostgres" .root) }}
postgres: [postgres]
{{- end }}
{{- if and (has .component $flows.model) (include "doublethink.hasOllama" .root) }}
model: [model]
{{- end }}
{{- end -}}

{{/* What a component may and may not reach, for isolation.py. Gives JSON. A host with `$` is a variable of the kubelet. */}}
{{- define "doublethink.plan" -}}
{{- $root := .root -}}
{{- $me := .component -}}
{{- $flows := .root.Files.Get "files/flows.yaml" | fromYaml -}}
{{- $mine := include "doublethink.reachable" . | fromYaml -}}
{{- $allowed := list -}}
{{- $forbidden := list -}}
{{- range $component, $ports := include "doublethink.servicePorts" .root | fromYaml -}}
{{- range $port, $number := $ports -}}
{{- $target := dict "name" (printf "%s %s" $component $port) "host" (printf "$%s" (include "doublethink.hostVariable" (dict "root" $root "component" $component))) "port" $number -}}
{{- if has $port (index $mine $component | default list) -}}
{{- $allowed = append $allowed $target -}}
{{- else if ne $component $me -}}
{{- $forbidden = append $forbidden $target -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not (has $me $flows.api) -}}
{{- $forbidden = append $forbidden (dict "name" "API server" "host" "$KUBERNETES_SERVICE_HOST" "port" 443 "always" true) -}}
{{- end -}}
{{- $internet := and (has $me $flows.internet) .root.Values.networkPolicy.internet.enabled -}}
{{- range .root.Values.isolation.forbidden -}}
{{- $private := or (hasPrefix "169.254." .) (hasPrefix "[f" .) -}}
{{- if or (not $internet) $private -}}
{{- $forbidden = append $forbidden (dict "name" (printf "address %s" .) "host" (regexReplaceAll ":[0-9]+$" . "" | trimPrefix "[" | trimSuffix "]") "port" (regexFind "[0-9]+$" . | int)) -}}
{{- end -}}
{{- end -}}
{{- toPrettyJson (dict
  "component" $me
  "allowed" $allowed
  "forbidden" $forbidden
  "dns" (has $me $flows.dns)
  "usualDns" true
  "dnsServers" .root.Values.isolation.dnsServers
  "waitSeconds" .root.Values.isolation.waitSeconds
  "everySeconds" .root.Values.isolation.everySeconds
  "enabled" .root.Values.isolation.enabled
  "peers" (dict "GATE" (include "doublethink.hostVariable" (dict "root" $root "component" "gate"))
    "PLANNER" (include "doublethink.hostVariable" (dict "root" $root "component" "planner"))
    "VALIDATOR" (include "doublethink.hostVariable" (dict "root" $root "component" "validator"))
    "READER" (include "doublethink.hostVariable" (dict "root" $root "component" "reader"))
    "MODEL" (include "doublethink.hostVariable" (dict "root" $root "component" "model")))
) -}}
{{- end -}}
