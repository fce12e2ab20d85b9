{{/* Pod security "restricted" for every pod of the chart. Argument: the numeric user. */}}
{{- define "doublethink.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "doublethink.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* What all pods have: no token, no host namespaces, who pulls. Argument: dict "root" "component" "settings". */}}
{{- define "doublethink.podBasics" -}}
serviceAccountName: {{ include "doublethink.serviceAccount" . }}
automountServiceAccountToken: {{ eq .component "bootstrap" }}
hostNetwork: false
hostPID: false
hostIPC: false
{{- with .root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .settings.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A component of flows.yaml that may ask the DNS keeps the cluster's; all others ask nobody: port 53 of loopback. */}}
{{- define "doublethink.dnsPolicy" -}}
{{- $flows := .root.Files.Get "files/flows.yaml" | fromYaml -}}
{{- if has .component $flows.dns -}}
dnsPolicy: ClusterFirst
{{- else -}}
dnsPolicy: "None"
dnsConfig:
  nameservers: ["127.0.0.1"]
{{- end -}}
{{- end -}}

{{/* The proof before the start, which also writes the configuration with the addresses of the peers. */}}
{{- define "doublethink.proof" -}}
- name: isolation
  image: {{ .image }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [{{ .root.Values.image.python | quote }}, "-I", "/isolation/isolation.py"]
  args: ["prove", "--plan", "/isolation/{{ .component }}.json", "--template", "/template", "--files", "{{ .component }}.toml=config.toml{{ if eq .component "planner" }}{{ if include "doublethink.hasModel" .root }},forwarder.toml=forwarder.toml{{ end }}{{ end }}", "--out", "/config"]
  env:
    - name: POD_IP
      valueFrom: {fieldRef: {fieldPath: status.podIP}}
  securityContext:
    {{- include "doublethink.containerSecurity" . | nindent 4 }}
  resources:
    {{- toYaml .root.Values.isolation.resources | nindent 4 }}
  volumeMounts:
    - {name: isolation, mountPath: /isolation, readOnly: true}
    - {name: template, mountPath: /template, readOnly: true}
    - {name: config, mountPath: /config}
{{- end -}}

{{/* The same proof again and again beside a mind; its port answers the probes and Prometheus. */}}
{{- define "doublethink.watch" -}}
- name: isolation-watch
  image: {{ .image }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [{{ .root.Values.image.python | quote }}, "-I", "/isolation/isolation.py"]
  args: ["watch", "--plan", "/isolation/{{ .component }}.json", "--port", "7446"]
  env:
    - name: POD_IP
      valueFrom: {fieldRef: {fieldPath: status.podIP}}
  ports:
    - {name: isolation, containerPort: 7446}
  readinessProbe:
    httpGet: {path: /held, port: isolation}
    periodSeconds: 10
    timeoutSeconds: 3
    failureThreshold: 1
  securityContext:
    {{- include "doublethink.containerSecurity" . | nindent 4 }}
  resources:
    {{- toYaml .root.Values.isolation.resources | nindent 4 }}
  volumeMounts:
    - {name: isolation, mountPath: /isolation, readOnly: true}
{{- end -}}

{{/* Health over gRPC where the server knows such probes (1.24), else whether the port is open. Argument: "root" "port". */}}
{{- define "doublethink.healthProbe" -}}
{{- if include "doublethink.olderThan" (dict "root" .root "version" "1.24.0") -}}
tcpSocket: {port: {{ .port }}}
{{- else -}}
grpc: {port: {{ .port }}}
{{- end -}}
{{- end -}}
