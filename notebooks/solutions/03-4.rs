#[derive(Default)]
struct Gated {
    mark: Token,
}

impl Gateway for Gated {
    fn pass(&mut self, _request: &Request) -> bool {
        true
    }

    fn serve(&mut self, request: &Request) -> bool {
        if request.token < self.mark {
            return false;
        }
        self.mark = request.token;
        true
    }
}

check_03_4(Gated::default)
