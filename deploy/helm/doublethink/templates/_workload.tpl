{{/* Users of the images, as docs/deployment.md lists them. Argument: a component. */}}
{{- define "doublethink.user" -}}
{{- get (dict "reader" "64101" "validator" "64102" "planner" "64103" "sealer" "64104" "gate" "64105" "console" "64106") . -}}
{{- end -}}

{{/* The files that a component reads besides its configuration: name, Secret, folder. Gives YAML, a list. */}}
{{- define "doublethink.secretMounts" -}}
{{- $v := .root.Values -}}
{{- $private := "/etc/doublethink/private" -}}
{{- if has .component (list "console" "planner" "gate" "validator" "reader") }}
- {name: tls, path: {{ $private }}/tls, secrets: [{{ include "doublethink.tlsSecret" (dict "root" .root "role" .component) }}]}
{{- end }}
{{- if eq .component "gate" }}
- name: secrets
  path: {{ $private }}/secrets
  secrets:
    - {{ include "doublethink.secret" (dict "root" .root "key" "gate.database.existingSecret" "given" $v.gate.database.existingSecret "suffix" "dsn-gate") }}
    {{- if eq $v.gate.source.kind "tavily" }}
    - {{ required "gate.source.existingSecret is missing: a Secret with the key tavily.key" $v.gate.source.existingSecret }}
    {{- end }}
    {{- if ne $v.gate.model.kind "none" }}
    - {{ required "gate.model.existingSecret is missing: a Secret with the key claude.key" $v.gate.model.existingSecret }}
    {{- end }}
- name: keys
  path: {{ $private }}/keys
  secrets: [{{ include "doublethink.secret" (dict "root" .root "key" "gate.keys.existingSecret" "given" $v.gate.keys.existingSecret "suffix" "keys-gate") }}]
{{- else if eq .component "console" }}
- name: secrets
  path: {{ $private }}/secrets
  secrets:
    - {{ include "doublethink.secret" (dict "root" .root "key" "console.database.existingSecret" "given" $v.console.database.existingSecret "suffix" "dsn-console") }}
    {{- if not $v.console.oidc.enabled }}
    - {{ include "doublethink.secret" (dict "root" .root "key" "console.token.existingSecret" "given" $v.console.token.existingSecret "suffix" "console-token") }}
    {{- end }}
    {{- with $v.console.collector.existingSecret }}
    - {{ . }}
    {{- end }}
- name: keys
  path: {{ $private }}/keys
  secrets: [{{ include "doublethink.secret" (dict "root" .root "key" "console.keys.existingSecret" "given" $v.console.keys.existingSecret "suffix" "keys-console") }}]
{{- else if eq .component "sealer" }}
- name: secrets
  path: {{ $private }}/secrets
  secrets: [{{ include "doublethink.secret" (dict "root" .root "key" "sealer.database.existingSecret" "given" $v.sealer.database.existingSecret "suffix" "dsn-sealer") }}]
- name: keys
  path: {{ $private }}/keys
  secrets: [{{ include "doublethink.secret" (dict "root" .root "key" "sealer.key.existingSecret" "given" $v.sealer.key.existingSecret "suffix" "keys-sealer") }}]
{{- with $v.sealer.objectStore.existingSecret }}
- {name: store, path: {{ $private }}/store, secrets: [{{ . }}]}
{{- end }}
{{- end }}
{{- end -}}

{{/* The pod of a component that serves. Argument: dict "root" $ "component" NAME. */}}
{{- define "doublethink.pod" -}}
{{- $settings := include "doublethink.settings" . | fromYaml -}}
{{- $image := include "doublethink.image" (dict "root" .root "image" $settings.image) -}}
{{- $with := merge (dict "settings" $settings "image" $image) . -}}
{{- $mind := has .component (list "planner" "reader" "validator" "console") -}}
{{- $mounts := include "doublethink.secretMounts" . | fromYamlArray -}}
metadata:
  labels:
    {{- include "doublethink.labels" . | nindent 4 }}
    doublethink.dev/serves: "true"
    {{- with $settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # What is read at the start alone: a change starts the pods anew.
    doublethink.dev/configuration: {{ include "doublethink.toml" . | sha256sum | trunc 32 }}
    {{- with $settings.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "doublethink.podBasics" $with | nindent 2 }}
  {{- include "doublethink.dnsPolicy" . | nindent 2 }}
  # The addresses of the peers come from here, since a mind may ask no DNS.
  enableServiceLinks: true
  terminationGracePeriodSeconds: {{ $settings.terminationGracePeriodSeconds }}
  securityContext:
    {{- include "doublethink.podSecurity" (include "doublethink.user" .component) | nindent 4 }}
  {{- if $settings.topologyKey }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: {{ $settings.topologyKey }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "doublethink.serving" . | nindent 10 }}
  {{- end }}
  initContainers:
    {{- include "doublethink.proof" $with | nindent 4 }}
    {{- if eq .component "gate" }}
    - name: schema
      image: {{ $image }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [{{ .root.Values.image.python | quote }}, "-I", "/isolation/await_schema.py"]
      args: ["/etc/doublethink/private/secrets/dsn", {{ .root.Values.isolation.waitSeconds | quote }}]
      securityContext:
        {{- include "doublethink.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      volumeMounts:
        - {name: isolation, mountPath: /isolation, readOnly: true}
        - {name: secrets, mountPath: /etc/doublethink/private/secrets, readOnly: true}
    {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ $image }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args:
        - serve
        - --config
        - /etc/doublethink/config/config.toml
        {{- if and (eq .component "sealer") .root.Values.sealer.firstStart }}
        - --first-start
        {{- end }}
      {{- if has .component (list "gate" "planner" "validator" "reader") }}
      # Callers come here until the Service's change has reached their node, and until their connection is old enough to
      # be made anew, elsewhere by then (22 s at most). Until then they are served.
      lifecycle:
        preStop:
          exec:
            command: [{{ .root.Values.image.python | quote }}, "-I", "-S", "-c", "import time; time.sleep(30)"]
      {{- end }}
      {{- with $settings.extraEnv }}
      env:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- if ne .component "sealer" }}
        - {name: {{ eq .component "console" | ternary "http" "rpc" }}, containerPort: {{ eq .component "console" | ternary 8443 7443 }}}
        {{- end }}
        - {name: health, containerPort: 7444}
        - {name: metrics, containerPort: 7445}
      startupProbe:
        {{- include "doublethink.healthProbe" (dict "root" .root "port" 7444) | nindent 8 }}
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        {{- include "doublethink.healthProbe" (dict "root" .root "port" 7444) | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
      livenessProbe:
        {{- if and $mind .root.Values.isolation.enabled }}
        # A mind whose isolation is gone is ended, and stays so until it is back: see files/isolation.py.
        httpGet: {path: /live, port: 7446}
        failureThreshold: 2
        {{- else }}
        {{- include "doublethink.healthProbe" (dict "root" .root "port" 7444) | nindent 8 }}
        failureThreshold: 3
        {{- end }}
        periodSeconds: 10
        timeoutSeconds: 3
      securityContext:
        {{- include "doublethink.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      volumeMounts:
        - {name: config, mountPath: /etc/doublethink/config, readOnly: true}
        {{- range $mounts }}
        - {name: {{ .name }}, mountPath: {{ .path }}, readOnly: true}
        {{- end }}
        - {name: tmp, mountPath: /tmp}
        {{- if and (eq .component "gate") .root.Values.gate.policy }}
        - {name: policy, mountPath: /etc/doublethink/policy, readOnly: true}
        {{- end }}
        {{- if and (eq .component "console") .root.Values.console.oidc.enabled }}
        # The folder and no file of it: a single file that is mounted never changes.
        - {name: identity, mountPath: /etc/doublethink/identity, readOnly: true}
        {{- end }}
        {{- if and (eq .component "planner") (include "doublethink.hasModel" .root) }}
        - {name: model, mountPath: /run/doublethink/model}
        {{- end }}
        {{- if eq .component "sealer" }}
        - {name: checkpoints, mountPath: /var/lib/doublethink/checkpoints}
        {{- end }}
        {{- with $settings.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- if and $mind .root.Values.isolation.enabled }}
    {{- include "doublethink.watch" $with | nindent 4 }}
    {{- end }}
    {{- if and (eq .component "planner") (include "doublethink.hasModel" .root) }}
    - name: forwarder
      image: {{ include "doublethink.image" (dict "root" .root "image" .root.Values.planner.forwarder.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve, --config, /etc/doublethink/config/forwarder.toml]
      # Its health is asked by the exec form: the port of the planner's own is taken in this pod.
      ports:
        - {name: fwd-health, containerPort: 7454}
        - {name: fwd-metrics, containerPort: 7455}
      readinessProbe:
        {{- include "doublethink.healthProbe" (dict "root" .root "port" 7454) | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        {{- include "doublethink.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml .root.Values.planner.forwarder.resources | nindent 8 }}
      volumeMounts:
        - {name: config, mountPath: /etc/doublethink/config, readOnly: true}
        - {name: tmp, mountPath: /tmp}
        - {name: model, mountPath: /run/doublethink/model}
    {{- end }}
    {{- with $settings.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    - name: isolation
      configMap:
        name: {{ include "doublethink.fullname" .root }}-isolation
        defaultMode: 0444
    - name: template
      configMap:
        name: {{ include "doublethink.fullname" .root }}-configuration
        defaultMode: 0444
    - name: config
      emptyDir: {medium: Memory, sizeLimit: 1Mi}
    - name: tmp
      emptyDir: {medium: Memory, sizeLimit: 64Mi}
    {{- range $mounts }}
    - name: {{ .name }}
      projected:
        defaultMode: 0440
        sources:
          {{- range .secrets }}
          - secret: {name: {{ . }}}
          {{- end }}
    {{- end }}
    {{- if and (eq .component "console") .root.Values.console.oidc.enabled }}
    {{- with .root.Values.console.oidc.keys }}
    - name: identity
      projected:
        defaultMode: 0440
        sources:
          - {{ empty .existingConfigMap | ternary "secret" "configMap" }}:
              name: {{ .existingConfigMap | default .existingSecret }}
              items: [{key: {{ .key | quote }}, path: jwks.json}]
    {{- end }}
    {{- end }}
    {{- if and (eq .component "gate") .root.Values.gate.policy }}
    - name: policy
      configMap:
        name: {{ include "doublethink.fullname" .root }}-policy
    {{- end }}
    {{- if and (eq .component "planner") (include "doublethink.hasModel" .root) }}
    - name: model
      emptyDir: {medium: Memory, sizeLimit: 1Mi}
    {{- end }}
    {{- if eq .component "sealer" }}
    {{- with .root.Values.sealer.checkpoints.persistence }}
    {{- if not .enabled }}
    - name: checkpoints
      emptyDir: {}
    {{- else if .existingClaim }}
    - name: checkpoints
      persistentVolumeClaim: {claimName: {{ .existingClaim }}}
    {{- end }}
    {{- end }}
    {{- end }}
    {{- with $settings.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
