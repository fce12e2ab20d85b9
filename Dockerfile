# One target a service. Each is built from nothing: a Python runtime, the locked closure of that service, its own code.
# No shell, no package manager, no pip and no compiler reach a target.
#
#     make images                                                all of them
#     docker build --target gate --build-arg BASE=IMAGE@sha256:DIGEST .
#
# BASE is any Debian image with Python 3.11, venv and pip. Name it by its digest for anything but a trial: the tag moves.
ARG BASE=python:3.11-slim-bookworm

# ---- What builds: from the lock, and in no target.
FROM ${BASE} AS tools
ENV PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements/images.txt /requirements/images.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    python3 -m venv /opt/tools \
    && /opt/tools/bin/pip install --quiet --require-hashes --no-deps -r /requirements/images.txt \
    && python3 -m venv --without-pip /opt/venv

# ---- The Python runtime, the same for all.
FROM tools AS runtime
COPY deploy/images/runtime.py /build/runtime.py
ARG SOURCE_DATE_EPOCH=0
RUN python3 -I /build/runtime.py /runtime --epoch "${SOURCE_DATE_EPOCH}"

# ---- The wheels of this workspace.
FROM tools AS wheels
ARG SOURCE_DATE_EPOCH=0
COPY deploy/images/wheels.py /build/wheels.py
COPY proto /source/proto
COPY libs /source/libs
COPY services /source/services
COPY sources /source/sources
COPY verify /source/verify
COPY sdk /source/sdk
RUN /opt/tools/bin/python -I /build/wheels.py /source /wheels

FROM tools AS closing
COPY deploy/images/compiled.py deploy/images/finish.py /build/

# ---- gate
FROM closing AS gate-tree
COPY requirements/gate.txt /requirements/gate.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/gate.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-gate \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name gate --user 64105 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS gate
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink gate" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=gate-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64105:64105
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_gate"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- planner
FROM closing AS planner-tree
COPY requirements/planner.txt /requirements/planner.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/planner.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-planner \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name planner --user 64103 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS planner
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink planner" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=planner-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64103:64103
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_planner"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- reader
FROM closing AS reader-tree
COPY requirements/reader.txt /requirements/reader.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/reader.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-reader \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name reader --user 64101 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS reader
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink reader" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=reader-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64101:64101
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_reader"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- validator
FROM closing AS validator-tree
COPY requirements/validator.txt /requirements/validator.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/validator.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-validator \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name validator --user 64102 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS validator
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink validator" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=validator-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64102:64102
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_validator"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- console
FROM closing AS console-tree
COPY requirements/console.txt /requirements/console.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/console.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-console \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name console --user 64106 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS console
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink console" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=console-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64106:64106
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_console"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- sealer
FROM closing AS sealer-tree
COPY requirements/sealer.txt /requirements/sealer.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/sealer.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-sealer \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name sealer --user 64104 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS sealer
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink sealer" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=sealer-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64104:64104
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_sealer"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- forwarder
FROM closing AS forwarder-tree
COPY requirements/forwarder.txt /requirements/forwarder.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/forwarder.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-forwarder \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name forwarder --user 64107 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS forwarder
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink forwarder" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=forwarder-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64107:64107
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_forwarder"]
CMD ["serve", "--config", "/etc/doublethink/config/config.toml"]

# ---- corpus
FROM closing AS corpus-tree
COPY requirements/corpus.txt /requirements/corpus.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/corpus.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink-corpus \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name corpus --user 64108 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS corpus
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink corpus" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=corpus-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64108:64108
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_corpus"]
CMD ["--help"]

# ---- operator
FROM closing AS operator-tree
COPY requirements/operator.txt /requirements/operator.txt
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --require-hashes --no-deps \
    -r /requirements/operator.txt \
    && python3 -I /build/compiled.py /opt/venv/lib
COPY --from=runtime /runtime /runtime
ARG SOURCE_DATE_EPOCH=0
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    /opt/tools/bin/pip --python /opt/venv/bin/python install --quiet --no-compile --no-index --find-links /wheels doublethink \
    && python3 -I /build/compiled.py /opt/venv/lib doublethink \
    && /opt/tools/bin/python -I /build/finish.py /tree --name operator --user 64109 --runtime /runtime \
    --epoch "${SOURCE_DATE_EPOCH}"

FROM scratch AS operator
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown BASE_NAME=unknown BASE_DIGEST=unknown
LABEL org.opencontainers.image.title="doublethink operator" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="${BASE_NAME}" \
    org.opencontainers.image.base.digest="${BASE_DIGEST}"
COPY --from=runtime /runtime /
COPY --from=operator-tree /tree /
ENV LANG=C.UTF-8 PATH=/opt/venv/bin
USER 64109:64109
WORKDIR /
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-m", "doublethink_sdk"]
CMD ["--help"]
